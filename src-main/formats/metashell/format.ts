import { fromOffers } from '../edit/offer'
import type { Format } from '../format'
import { unlessTemplate } from '../template'
import { withUncommittedNeed, withUncommittedOffers } from '../uncommitted'
import { withWorktreeNeed, withWorktreeOffers } from '../worktree'
import { offers } from './actions/actions'
import type { MetaShellDetails } from './details'
import { read } from './read'
import { detect, named, ownPlaces } from './detect'
import { validate } from './validate'

export const metashell: Format<MetaShellDetails> = {
  name: 'metashell',
  detect,
  named,
  read: unlessTemplate(withWorktreeNeed(withUncommittedNeed(read))),
  validate,
  ...fromOffers(withWorktreeOffers(withUncommittedOffers(offers), { kept: ownPlaces })),
}
