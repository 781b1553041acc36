import { Footprints, Hand, Pause, Play } from 'lucide-react'
import type { GrantableRight, SteeringAgent } from '@shared/contract/steering'
import { counted } from '@shared/countedText'
import { durationText } from '@shared/durationText'
import { leftParts } from '@shared/leftBehindText'
import { AgentName } from '../../client/AgentName'
import { call } from '../../client/call'
import { titleOfMachine, useMachineTitles } from '../../client/machines'
import { attempt } from '../../client/messages'
import { useSteering } from '../../client/steering'
import { rightTitles, stateOfAgent } from '../../client/steeringLabels'
import { Button } from '../../widgets/Button'
import { useClock } from '../../widgets/useClock'
import { visibleText } from '../../widgets/visibleText'

const CLOCK_MS = 1_000

interface ConnectedAgentsProps {
  readonly agents: readonly SteeringAgent[]
  readonly visible: boolean
}

export function ConnectedAgents({ agents, visible }: ConnectedAgentsProps) {
  const now = useClock(visible && agents.length > 0, CLOCK_MS)
  return (
    <section className="steering-agents" aria-label="Connected agents">
      <h2>Connected</h2>
      <TakenOver />
      <LeftBehinds />
      {agents.length === 0 ? (
        <p className="muted">No agent is connected now.</p>
      ) : (
        <ul>
          {agents.map((agent) => (
            <ConnectedAgent key={agent.agent} agent={agent} now={now} />
          ))}
        </ul>
      )}
    </section>
  )
}

function TakenOver() {
  const leases = useSteering((state) => state.leases)
  const titles = useMachineTitles()
  const taken = leases.filter(({ agent }) => agent === null)
  if (taken.length === 0) return null
  return (
    <ul className="steering-taken" aria-label="Taken over">
      {taken.map(({ machine }) => (
        <li key={machine}>
          <Hand size={14} strokeWidth={1.75} aria-hidden />
          <span>You steer {titleOfMachine(titles, machine)}; agents look.</span>
          <Button label="Hand back" onClick={() => attempt(() => call('steering.handBack', { machine }))} />
        </li>
      ))}
    </ul>
  )
}

function LeftBehinds() {
  const left = useSteering((state) => state.left)
  const titles = useMachineTitles()
  if (left.length === 0) return null
  return (
    <ul className="steering-taken" aria-label="Left by agents">
      {left.map((one, index) => (
        <li key={`${one.machine} ${index}`}>
          <Footprints size={14} strokeWidth={1.75} aria-hidden />
          <span>
            {visibleText(one.name)} left {titleOfMachine(titles, one.machine)} {leftParts(one)}.
          </span>
          <Button
            label="Clear"
            tip="Delete its checkpoints, release what it froze and holds, end warp and slow motion, and let the machine run"
            onClick={() => attempt(() => call('steering.clearLeft', { machine: one.machine }))}
          />
        </li>
      ))}
    </ul>
  )
}

function ConnectedAgent({ agent, now }: { readonly agent: SteeringAgent; readonly now: number }) {
  const state = useSteering()
  const titles = useMachineTitles()
  const { word, tone } = stateOfAgent(agent, state, titles)
  const { agent: id, name, paused, machine, doing, calls, since } = agent
  return (
    <li className="steering-agent" aria-label={visibleText(name)}>
      <strong>
        <AgentName name={name} colour={agent.colour} />
      </strong>
      <span className={`state-words ${tone}`} role="status">
        <span className="dot" aria-hidden />
        {word}
      </span>
      <span className="steering-doing">
        {doing === null ? null : <span className="data">{visibleText(doing)}</span>}
        <span className="muted">{titleOfMachine(titles, machine)}</span>
      </span>
      <span className="muted">
        {counted(calls, 'call')} in {durationText(Math.max(0, now - since))}
      </span>
      <Button
        label={paused ? 'Resume' : 'Pause'}
        icon={paused ? Play : Pause}
        tip={paused ? 'Let its calls go on' : 'Its calls wait until you resume it'}
        pressed={paused}
        onClick={() => attempt(() => call(paused ? 'steering.resume' : 'steering.pause', { agent: id }))}
      />
      <Rights agent={agent} />
    </li>
  )
}

function Rights({ agent: { agent, granted, refused } }: { readonly agent: SteeringAgent }) {
  return (
    <ul className="steering-rights" aria-label="Rights">
      {granted.length + refused.length === 0 ? <li className="muted">May look</li> : null}
      {granted.map(({ right, for: duration }) => (
        <li key={right}>
          May {rightTitles[right]} <span className="muted">{duration === 'always' ? 'always' : 'this session'}</span>
          <Button
            label="Revoke"
            tip={`It is asked again before it may ${rightTitles[right]}`}
            onClick={() => attempt(() => call('steering.revoke', { agent, right }))}
          />
        </li>
      ))}
      {refused.map((right) => (
        <Refused key={right} agent={agent} right={right} />
      ))}
    </ul>
  )
}

const Refused = ({ agent, right }: { readonly agent: number; readonly right: GrantableRight }) => (
  <li>
    <span className="warn-text">May not</span> {rightTitles[right]}
    <Button
      label="Allow"
      tip={`Let it ${rightTitles[right]} until it disconnects`}
      onClick={() => attempt(() => call('steering.grant', { agent, right, for: 'session' }))}
    />
  </li>
)
