import { CircleStop } from 'lucide-react'
import type { Loop } from '@shared/contract/loops'
import { usedText } from '../../client/agents/agentRows'
import { useAgents } from '../../client/agents/agentRuns'
import { call } from '../../client/call'
import { attempt } from '../../client/messages'
import { IconButton } from '../../widgets/IconButton'
import { visibleText } from '../../widgets/visibleText'
import { agentText } from './labels'

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
            {run === null ? null : <UsedText run={run} />}
            {reason === '' ? null : <span className="muted">{visibleText(reason)}</span>}
          </li>
        )
      })}
    </ul>
  )
}

function UsedText({ run }: { readonly run: string }) {
  const used = useAgents(({ runs }) => {
    const known = runs?.get(run)
    return known ? usedText(known) : ''
  })
  return <span className="muted">{used === '' ? 'tokens unknown' : used}</span>
}
