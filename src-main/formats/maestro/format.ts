import { fromOffers } from '../edit/offer'
import type { Format } from '../format'
import { unlessTemplate } from '../template'
import type { MaestroDetails } from './details'
import { withWorktreeNeed, withWorktreeOffers } from '../worktree'
import { detect, stateDirOf } from './detect'
import { offers } from './actions/actions'
import { read } from './read'
import { namedPlans } from './state'
import { validate } from './validate'

export const maestro: Format<MaestroDetails> = {
  name: 'maestro',
  hasStrictWrites: true,
  detect,
  named: namedPlans,
  read: unlessTemplate(withWorktreeNeed(read)),
  validate,
  ...fromOffers(
    withWorktreeOffers(offers, {
      kept: ({ candidate }) => [stateDirOf(candidate)],
      after: ['archive', 'abort'],
    }),
  ),
}
