import { fromOffers } from '../edit/offer'
import type { Format } from '../format'
import { unlessTemplate } from '../template'
import type { TuningDetails } from './details'
import { offers } from './actions/actions'
import { detect, named } from './detect'
import { read } from './read'
import { validate } from './validate'

export const tuning: Format<TuningDetails> = {
  name: 'tuning',
  detect,
  named,
  read: unlessTemplate(read),
  validate,
  ...fromOffers(offers),
}
