import type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js'
import type { SteeringState } from '@shared/contract/steering'

export type Steered = Pick<SteeringState, 'agents' | 'leases'>

export interface AgentNotice {
  readonly level: LoggingLevel
  readonly text: string
}

export function noticesFor(agent: number, before: Steered, now: Steered): AgentNotice[] {
  const isPaused = ({ agents }: Steered): boolean => agents.find((each) => each.agent === agent)?.paused ?? false
  const paused = isPaused(now)
  const taken = takenOver(now)
  const wasTaken = takenOver(before)
  return [
    ...(paused === isPaused(before)
      ? []
      : [paused ? notice('warning', 'The person has paused you.') : notice('notice', 'The person lets you go on.')]),
    ...taken
      .filter((machine) => !wasTaken.includes(machine))
      .map((machine) => notice('warning', `The person took ${machine} over: look, but do not change it.`)),
    ...wasTaken
      .filter((machine) => !taken.includes(machine))
      .map((machine) => notice('notice', `The person handed ${machine} back.`)),
  ]
}

const notice = (level: LoggingLevel, text: string): AgentNotice => ({ level, text })

const takenOver = ({ leases }: Steered): string[] =>
  leases.filter(({ agent }) => agent === null).map(({ machine }) => machine)
