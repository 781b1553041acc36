import { durationText } from '@shared/durationText'
import type { Loop } from '@shared/contract/loops'
import type { Output } from './output'

/** Whether the loop has not ended yet. */
export const isActive = ({ state }: Loop): boolean => state === 'running' || state === 'pausing' || state === 'stopping'

/** Shows on the terminal what the loop does; nothing once it has ended. */
export function showLoop(output: Output, loop: Loop): void {
  if (!isActive(loop)) {
    output.clearProgress()
    return
  }
  const { state, step, agent, startedAt } = loop
  const since = (time: number) => durationText(Date.now() - time)
  const parts = [
    state === 'running' ? (step ?? 'Running') : `${step ?? 'Running'} (${state})`,
    ...(agent === null ? [] : [`${agent.name} at work for ${since(agent.since)}`]),
    `${since(startedAt)} in all`,
  ]
  output.progress(null, parts.join(', '))
}
