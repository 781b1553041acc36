import { useState } from 'react'
import { kindsOf, kindsText, pricedText } from '@shared/agentUse'
import type { AgentRun } from '@shared/contract/agents'
import type { Run } from '@shared/contract/orchestration'
import { durationText } from '@shared/durationText'
import { AgentLog } from '../../../client/agents/AgentLog'
import { elapsed, isLive, stateOf, usedText } from '../../../client/agents/agentRows'
import { Button } from '../../../widgets/Button'
import { useClock } from '../../../widgets/useClock'
import { visibleText } from '../../../widgets/visibleText'
import { Section } from '../details/parts'
import { agoText } from '../labels'
import { TurnCommits } from './TurnCommits'
import { useBatchPlaces, useTurns } from './useTurns'
import './turns.css'

const TURN_PAGE = 20
const CLOCK_MS = 1_000

interface TurnsProps {
  readonly project: number
  readonly run: Run
}

export function Turns({ project, run }: TurnsProps) {
  const turns = useTurns(project, run, useBatchPlaces(project, run))
  const [count, setCount] = useState(TURN_PAGE)
  const now = useClock(turns.some(isLive), CLOCK_MS)
  if (turns.length === 0) return null
  return (
    <Section title="Agents’ turns" count={turns.length}>
      <div>
        {turns.slice(0, count).map((turn) => (
          <TurnEntry key={turn.run} project={project} run={run} turn={turn} now={now} />
        ))}
      </div>
      {turns.length > count ? (
        <div>
          <Button label="Older turns" onClick={() => setCount(count + TURN_PAGE)} />
        </div>
      ) : null}
    </Section>
  )
}

interface TurnEntryProps extends TurnsProps {
  readonly turn: AgentRun
  readonly now: number
}

function TurnEntry({ project, run, turn, now }: TurnEntryProps) {
  const [isOpen, setOpen] = useState(false)
  const { word, tone } = stateOf(turn)
  const { startedAt, reason } = turn
  const used = [durationText(elapsed(turn, now)), usedText(turn)].filter(Boolean).join(', ')
  return (
    <details className="turn" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span className={`state-words ${tone}`}>
          <span className="dot" aria-hidden />
          {word}
        </span>
        <span>
          {visibleText(turn.turn?.role ?? '')} <span className="data">{visibleText(turn.turn?.task ?? '')}</span>
        </span>
        <span className="muted">
          {turn.agent}, {startedAt === null ? 'not started' : agoText(startedAt, now)}
        </span>
        <span className="muted data">{used}</span>
      </summary>
      {isOpen ? (
        <div className="turn-body">
          {reason === '' ? null : <p className={tone === 'bad' ? 'problem' : 'muted'}>{visibleText(reason)}</p>}
          {turn.state === 'ended' && startedAt !== null ? (
            <p className="muted">
              Tokens: {turn.uses ? kindsText(kindsOf(turn.uses)) : 'unknown'}. Cost: {pricedText(turn)}.
            </p>
          ) : null}
          <AgentLog run={turn} />
          {startedAt === null ? null : (
            <>
              <h4>Commits</h4>
              <TurnCommits project={project} run={run} turn={turn} now={now} />
            </>
          )}
        </div>
      ) : null}
    </details>
  )
}
