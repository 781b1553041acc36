import { useMemo } from 'react'
import { readCalls, readOlderCalls, showCallsOf, useAgentCalls } from '../../client/agentCalls'
import { useChosenCall } from './chosenCall'
import { useBridge } from '../../client/machines'
import { attempt } from '../../client/messages'
import { useSteering } from '../../client/steering'
import { useReading } from '../../client/useReading'
import type { ViewProps } from '../../client/view'
import { EmptyState } from '../../widgets/EmptyState'
import { ListAndDetail } from '../../widgets/ListAndDetail'
import { ListBox } from '../../widgets/ListBox'
import { visibleText } from '../../widgets/visibleText'
import { CallDetail } from './CallDetail'
import { CallRow } from './CallRow'
import { ConnectedAgents } from './ConnectedAgents'
import { isKeyOfCall } from './keys'
import './steering.css'

const CALL_ROW_PX = 40

export function SteeringView({ visible }: ViewProps) {
  const bridge = useBridge()
  const agents = useSteering((state) => state.agents)
  const { calls, more, name } = useAgentCalls()
  const problem = useReading(visible && bridge.state === 'ready', calls !== null, readCalls)
  const [chosenNumber, choose] = useChosenCall()
  const chosen = useMemo(() => calls?.find(({ call }) => call === chosenNumber), [calls, chosenNumber])
  if (calls === null && agents.length === 0)
    return (
      <div className="empty" role="status">
        <p>{problem ?? 'Waiting for the bridge to start…'}</p>
      </div>
    )
  if (calls?.length === 0 && agents.length === 0 && name === null) return <NoAgents />
  return (
    <div className="steering">
      <ConnectedAgents agents={agents} visible={visible} />
      <div className="toolbar">
        <h2>Journal</h2>
        <CallsOf name={name} />
        <span className="muted" role="status">
          {calls === null ? (problem ?? 'Reading…') : countText(calls.length, more)}
        </span>
      </div>
      <ListAndDetail
        className="steering-journal"
        onKeyDown={(event) => {
          if (chosen && isKeyOfCall(event)) event.preventDefault()
        }}
      >
        <ListBox
          isFirst
          label="Calls of agents"
          items={calls ?? []}
          keyOf={keyOf}
          chosen={chosen === undefined ? null : keyOf(chosen)}
          height={CALL_ROW_PX}
          render={renderCall}
          onChoose={({ call }) => choose(call)}
          onEnd={() => attempt(readOlderCalls)}
        />
        <div className="steering-detail" role="region" aria-label="Call" tabIndex={0}>
          {chosen ? (
            <CallDetail key={chosen.call} call={chosen} calls={calls ?? []} />
          ) : (
            <p className="muted">{calls?.length === 0 ? 'No calls yet.' : 'Choose a call to see and undo it.'}</p>
          )}
        </div>
      </ListAndDetail>
    </div>
  )
}

const keyOf = ({ call }: { readonly call: number }): string => String(call)
const renderCall = (call: Parameters<typeof CallRow>[0]['call']) => <CallRow call={call} />

const countText = (count: number, more: boolean): string =>
  `${count}${more ? '+' : ''} ${count === 1 && !more ? 'call' : 'calls'}`

function CallsOf({ name }: { readonly name: string | null }) {
  const agents = useSteering((state) => state.agents)
  const calls = useAgentCalls((state) => state.calls)
  const names = useMemo(() => {
    const all = [...agents, ...(calls ?? [])].map((each) => each.name)
    return [...new Set(name === null ? all : [name, ...all])].sort()
  }, [agents, calls, name])
  return (
    <label>
      Of
      <select
        className="field steering-names"
        value={name ?? ''}
        onChange={({ target }) => showCallsOf(target.value === '' ? null : target.value)}
      >
        <option value="">all agents</option>
        {names.map((each) => (
          <option key={each} value={each}>
            {visibleText(each)}
          </option>
        ))}
      </select>
    </label>
  )
}

const NoAgents = () => (
  <EmptyState title="No agent has used a machine yet">
    <p>
      Connect one with <span className="data">bridgedeck mcp install claude</span>, then ask it to make the border of
      the C64 red.
    </p>
    <p>You see here what it does, and can pause it, take over, and undo what it changed.</p>
  </EmptyState>
)
