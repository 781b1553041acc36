import { durationText } from '@shared/durationText'
import type { Loop } from '@shared/contract/loops'
import type { Output } from './output'

export const isActive = ({ state }: Loop): boolean => state === 'running' || state === 'pausing' || state === 'stopping'

export function showLoop(output: Output, loop: Loop): void {
  if (!isActive(loop)) {
    output.clearProgress()
    return
  }
  const { state, step, agents, startedAt } = loop
  const since = (time: number) => durationText(Date.now() - time)
  const parts = [
    state === 'running' ? (step ?? 'Running') : `${step ?? 'Running'} (${state})`,
    ...agentsText(agents, since),
    `${since(startedAt)} in all`,
  ]
  output.progress(null, parts.join(', '))
}

function agentsText(agents: Loop['agents'], since: (time: number) => string): string[] {
  const [first, ...others] = agents
  if (!first) return []
  if (others.length > 0) return [`${agents.length} agents: ${agents.map(({ role }) => role).join(', ')}`]
  return [`${first.name} ${first.state === 'waiting' ? 'waiting' : 'at work'} for ${since(first.since)}`]
}
