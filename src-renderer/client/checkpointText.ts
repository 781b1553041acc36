import type { LabelledCheckpoint } from '@shared/contract/checkpoints'
import { counted } from '@shared/countedText'
import { visibleText } from '../widgets/visibleText'

/** True also for one that will be enabled once the line that it follows is back. */
export const isSwitchedOn = ({ enabled, enabledAgain }: LabelledCheckpoint): boolean => enabledAgain ?? enabled

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

export function markOf(checkpoints: readonly LabelledCheckpoint[]): 'plain' | 'conditional' | 'log' {
  if (checkpoints.every(({ log }) => log !== null)) return 'log'
  return checkpoints.every(({ condition, fromHit }) => condition !== null || fromHit > 1) ? 'conditional' : 'plain'
}
