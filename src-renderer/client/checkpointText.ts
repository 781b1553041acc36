import type { LabelledCheckpoint } from '@shared/contract/checkpoints'
import { counted } from '@shared/countedText'
import { visibleText } from '../widgets/visibleText'

/** Whether it is enabled, or is once the line that it follows is back. */
export const isSwitchedOn = ({ enabled, enabledAgain }: LabelledCheckpoint): boolean => enabledAgain ?? enabled

/** What a checkpoint at a line does: `Stops here if A == $05, from hit 3: 12 hits` */
export function describeCheckpoint(checkpoint: LabelledCheckpoint): string {
  const { unbound, log, stop, condition, fromHit, temporary, hits } = checkpoint
  const does = log !== null ? `Logs ${log}` : stop ? 'Stops here' : 'Counts here'
  const when = [
    condition === null ? '' : ` if ${condition}`,
    fromHit === 1 ? '' : `, from hit ${fromHit}`,
    temporary ? ', once' : '',
  ].join('')
  const state = unbound !== null ? `. Unbound: ${unbound}` : isSwitchedOn(checkpoint) ? '' : '. Disabled'
  return visibleText(`${does}${when}: ${counted(hits, 'hit')}${state}`)
}

/** Which mark stands in the margin of a line with checkpoints. */
export function markOf(checkpoints: readonly LabelledCheckpoint[]): 'plain' | 'conditional' | 'log' {
  if (checkpoints.every(({ log }) => log !== null)) return 'log'
  return checkpoints.every(({ condition, fromHit }) => condition !== null || fromHit > 1) ? 'conditional' : 'plain'
}
