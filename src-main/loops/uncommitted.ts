import { readRepositoryState } from '../git/repositoryState'
import { describeUncommitted, settleUncommitted, unsettledChanges } from '../formats/uncommitted'
import type { LoopEnd, LoopWork } from './loop'

export async function uncommittedEnd({
  remembered,
  trusted,
}: Pick<LoopWork, 'remembered' | 'trusted'>): Promise<(LoopEnd & { readonly hint: string }) | undefined> {
  const left = unsettledChanges(remembered)
  if (!left) return undefined
  const { uncommitted } = await readRepositoryState(trusted())
  if (!left.uncommitted.some((file) => uncommitted.includes(file))) {
    remembered.set(settleUncommitted(left))
    return undefined
  }
  return {
    outcome: 'waiting',
    message: describeUncommitted(left),
    hint: 'Commit, stash or leave them with an action of the run, then start it again.',
  }
}
