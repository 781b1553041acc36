import { fromOffers } from '../edit/offer'
import type { Format } from '../format'
import { unlessTemplate } from '../template'
import { withUncommittedNeed, withUncommittedOffers } from '../uncommitted'
import { offers } from './actions/actions'
import type { MetaShellDetails } from './details'
import { read } from './read'
import { detect, named } from './detect'
import { validate } from './validate'

/** Meta-Shell, specification 000: `.meta/context.md`, `.meta/session.json` and the agents' artefacts. */
export const metashell: Format<MetaShellDetails> = {
  name: 'metashell',
  detect,
  named,
  read: unlessTemplate(withUncommittedNeed(read)),
  validate,
  ...fromOffers(withUncommittedOffers(offers)),
}
