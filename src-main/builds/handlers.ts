import type { AreaHandlers } from '../rpc/commands'
import type { Builds } from './builds'

export const createBuildHandlers = ({ builds }: { readonly builds: Builds }): AreaHandlers<'builds'> => ({
  'builds.plan': (input) => builds.plan(input),
  'builds.approved': (input) => builds.approved(input),
  'builds.kept': () => builds.kept(),
  'builds.forget': ({ target }) => builds.forget(target),
  'builds.run': (input, signal) => builds.run(input, signal),
  'builds.stop': () => {
    builds.stop()
    return {}
  },
  'builds.last': () => builds.last(),
  'builds.source': (input) => builds.source(input),
})
