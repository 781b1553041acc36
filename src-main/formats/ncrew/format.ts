import { fromOffers } from '../edit/offer'
import type { Format } from '../format'
import { unlessTemplate } from '../template'
import { withUncommittedNeed, withUncommittedOffers } from '../uncommitted'
import { offers } from './actions/actions'
import type { NcrewDetails } from './details'
import { read } from './read'
import { detect, named } from './detect'
import { validate } from './validate'

export const ncrew: Format<NcrewDetails> = {
  name: 'ncrew',
  detect,
  named,
  read: unlessTemplate(withUncommittedNeed(read)),
  validate,
  ...fromOffers(withUncommittedOffers(offers)),
}
