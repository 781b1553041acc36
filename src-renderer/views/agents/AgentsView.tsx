import { Cable, Plus } from 'lucide-react'
import { useEffect, useMemo, type ReactNode } from 'react'
import type { AgentRun } from '@shared/contract/agents'
import { presets } from '@shared/agentPresets'
import { perform } from '../../client/actions'
import { useBridge } from '../../client/machines'
import { attempt } from '../../client/messages'
import { changeSettings, useSettings } from '../../client/settings'
import { useClock } from '../../widgets/useClock'
import { useReading } from '../../client/useReading'
import type { ViewProps } from '../../client/view'
import { ChoiceSegments } from '../../client/ChoiceSegments'
import { useChosen } from '../../client/chosen'
import { Button } from '../../widgets/Button'
import { EmptyState } from '../../widgets/EmptyState'
import { durationText } from '@shared/durationText'
import { ListBox } from '../../widgets/ListBox'
import { ListAndDetail } from '../../widgets/ListAndDetail'
import { visibleText } from '../../widgets/visibleText'
import { AgentForm } from './AgentForm'
import { ConnectAgent } from './ConnectAgent'
import { AgentRunDetail, stopRun } from './AgentRunDetail'
import { elapsed, isLive, purposeText, rowsOf, stateOf, usedText } from '../../client/agents/agentRows'
import { setChoice, useChoice } from '../../client/agents/agentChoice'
import { refreshAgentRuns, refreshAgents, useAgents, type SetUpAgent } from '../../client/agents/agentRuns'
import dark from './empty-dark.png'
import light from './empty-light.png'
import './agents.css'

const CLOCK_MS = 1_000
const AGENT_ROW_PX = 24
const RUN_ROW_PX = 40

const readAll = () => Promise.all([refreshAgents(), refreshAgentRuns()])

export function AgentsView({ visible }: ViewProps) {
  const bridge = useBridge()
  const { agents, runs } = useAgents()
  const { agents: saved, mostAgents } = useSettings()
  const [filter] = useChosen('agents.filter')
  const { choice } = useChoice()
  const now = useClock(visible, CLOCK_MS)
  const problem = useReading(visible && bridge.state === 'ready', agents !== null && runs !== null, readAll)
  const rows = useMemo(() => rowsOf(runs?.values() ?? [], filter), [runs, filter])

  const isRead = agents !== null
  useEffect(() => {
    if (isRead) attempt(refreshAgents)
    // Also after changes by another window or the command line.
  }, [isRead, saved])

  if (agents === null || runs === null) {
    return (
      <div className="empty" role="status">
        <p>{problem ?? 'Waiting for the bridge to start…'}</p>
      </div>
    )
  }
  const isNew = choice !== null && 'form' in choice
  const isConnecting = choice !== null && 'connect' in choice
  const setUp = <SetUp />
  if (agents.length === 0 && runs.size === 0 && !isNew && !isConnecting) return <NoAgents setUp={setUp} />
  const run = choice !== null && 'run' in choice ? runs.get(choice.run) : undefined
  const agent = choice !== null && 'agent' in choice ? agents.find(({ name }) => name === choice.agent) : undefined
  const live = [...runs.values()].filter(isLive).length
  return (
    <>
      <div className="toolbar">
        {setUp}
        <ChoiceSegments choice="agents.filter" />
        <span className="muted" role="status">
          {runs.size === 1 ? '1 run' : `${runs.size} runs`}, {live} live
        </span>
        <MostAgents most={mostAgents} />
      </div>
      <ListAndDetail
        className="agents"
        onKeyDown={(event) => {
          if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
          if (event.key === 'n' || event.key === 'N') perform('agent.setUp')
          else if (event.key === 'c' || event.key === 'C') perform('agent.connect')
          else if (event.key === '/' && run)
            event.currentTarget.querySelector<HTMLElement>('[data-log-search]')?.focus()
          else if ((event.key === 's' || event.key === 'S') && run && isLive(run)) stopRun(run)
          else return
          event.preventDefault()
        }}
      >
        <div className="agents-lists">
          <AgentList agents={agents} chosen={agent?.name ?? null} onChoose={({ name }) => setChoice({ agent: name })} />
          <RunList
            isFirst={!isConnecting}
            rows={rows}
            none={
              runs.size === 0 ? 'No runs yet. A project’s run starts agents; so does “Try it”.' : 'No matching runs.'
            }
            chosen={run?.run ?? null}
            now={now}
            onChoose={(row) => setChoice({ run: row.run })}
          />
        </div>
        <div className="agents-detail" role="region" aria-label="Details" tabIndex={0}>
          {run ? (
            <AgentRunDetail key={run.run} run={run} now={now} />
          ) : agent || isNew ? (
            <AgentForm
              key={agent ? JSON.stringify(agent) : ''}
              agent={agent ?? null}
              onSaved={(name) => setChoice({ agent: name })}
              onTried={(id) => setChoice({ run: id })}
              onClose={() => setChoice(null)}
            />
          ) : isConnecting ? (
            <ConnectAgent onClose={() => setChoice(null)} />
          ) : (
            <p className="muted">Choose a run or an agent. Arrow keys move in the lists, F6 between panels.</p>
          )}
        </div>
      </ListAndDetail>
    </>
  )
}

const SetUp = () => (
  <>
    <Button label="Set up an agent" icon={Plus} look="primary" shortcut="N" onClick={() => perform('agent.setUp')} />
    <Button
      label="Connect an agent…"
      icon={Cable}
      shortcut="C"
      tip="Gives an agent that you start yourself, such as Claude Code, the machines that you watch here."
      onClick={() => perform('agent.connect')}
    />
  </>
)

const NoAgents = ({ setUp }: { readonly setUp: ReactNode }) => (
  <EmptyState picture={{ light, dark }} title="No agent is set up" action={setUp}>
    <p>
      An agent is a command-line program such as Claude Code, Gemini CLI or Codex CLI. Bridgedeck starts it in projects
      that you trust.
    </p>
    <p>Only you choose its command; project files cannot.</p>
    <p>An agent that you start yourself gets the machines once you connect it.</p>
  </EmptyState>
)

const MostAgents = ({ most }: { readonly most: number }) => (
  <label className="agents-most">
    Maximum at once
    <input
      className="field data"
      type="number"
      min={1}
      max={64}
      value={most}
      onChange={({ target }) => {
        if (target.validity.valid && target.value !== '') changeSettings({ mostAgents: target.valueAsNumber })
      }}
    />
  </label>
)

interface AgentListProps {
  readonly agents: readonly SetUpAgent[]
  readonly chosen: string | null
  readonly onChoose: (agent: SetUpAgent) => void
}

const AgentList = ({ agents, chosen, onChoose }: AgentListProps) => (
  <div className="agents-list">
    <h2>Agents</h2>
    {agents.length === 0 ? <p className="agents-none muted">No agents yet.</p> : null}
    <ListBox
      label="Agents that are set up"
      items={agents}
      keyOf={nameOf}
      chosen={chosen}
      height={AGENT_ROW_PX}
      render={renderAgent}
      onChoose={onChoose}
    />
  </div>
)

interface RunListProps {
  readonly rows: readonly AgentRun[]
  readonly none: string
  readonly chosen: string | null
  readonly now: number
  readonly onChoose: (run: AgentRun) => void
  readonly isFirst: boolean
}

const RunList = ({ isFirst, rows, none, chosen, now, onChoose }: RunListProps) => (
  <div className="agents-list">
    <h2>Runs</h2>
    {rows.length === 0 ? <p className="agents-none muted">{none}</p> : null}
    <ListBox
      isFirst={isFirst}
      label="Runs of agents"
      items={rows}
      keyOf={idOf}
      chosen={chosen}
      height={RUN_ROW_PX}
      render={(row) => <RunRow run={row} now={now} />}
      onChoose={onChoose}
    />
  </div>
)

const nameOf = ({ name }: SetUpAgent): string => name
const idOf = ({ run }: AgentRun): string => run

const renderAgent = ({ name, preset, model, program }: SetUpAgent) => (
  <div className="agent-row">
    <span className="data">{name}</span>
    <span className="muted">{[presets[preset].title, model].filter(Boolean).join(', ')}</span>
    <span className={program === null ? 'bad-text' : 'muted'}>{program === null ? 'not found' : ''}</span>
  </div>
)

function RunRow({ run, now }: { readonly run: AgentRun; readonly now: number }) {
  const { word, tone } = stateOf(run)
  return (
    <div className="agent-run-row">
      <span className={`state-words ${tone}`} title={run.reason || undefined}>
        <span className="dot" aria-hidden />
        {word}
      </span>
      <span title={run.purpose}>
        <b>{visibleText(purposeText(run))}</b> <span className="muted">{run.agent}</span>
      </span>
      <span className="data">{durationText(elapsed(run, now))}</span>
      <span className="muted data">{run.pid === null ? '' : `pid ${run.pid}`}</span>
      <span className="muted data">{visibleText(run.reason || run.lastLine)}</span>
      <span className="muted data">{usedText(run)}</span>
    </div>
  )
}

const isTyping = (target: EventTarget): boolean =>
  target instanceof HTMLElement && target.matches('input:not([type=checkbox]), textarea, select')
