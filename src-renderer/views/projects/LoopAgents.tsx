import { CircleStop } from 'lucide-react'
import type { Loop } from '@shared/contract/loops'
import { call } from '../../client/call'
import { attempt } from '../../client/messages'
import { IconButton } from '../../widgets/IconButton'
import { visibleText } from '../../widgets/visibleText'
import { agentText } from './labels'

/** The agents that a loop has at work at once, each to be stopped alone; nothing for one, which stops with its loop. */
export function LoopAgents({ agents, now }: Pick<Loop, 'agents'> & { readonly now: number }) {
  if (agents.length < 2) return null
  return (
    <ul className="run-lines" aria-label="Agents at work">
      {agents.map((agent, index) => {
        const { run, state, role, reason } = agent
        return (
          <li key={run ?? index} className="run-buttons">
            <IconButton
              label={`Stop ${visibleText(role)}`}
              icon={CircleStop}
              tip="End this agent alone, with all its processes"
              why={run === null ? 'Not started yet.' : state === 'stopping' ? 'Stopping already.' : null}
              onClick={() => {
                if (run !== null) attempt(() => call('agentRuns.stop', { run }))
              }}
            />
            <span>{agentText(agent, now)}</span>
            {reason === '' ? null : <span className="muted">{visibleText(reason)}</span>}
          </li>
        )
      })}
    </ul>
  )
}
