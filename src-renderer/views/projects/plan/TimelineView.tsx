import { formatInfo } from '@shared/formats/formats'
import { useMemo } from 'react'
import type { Output } from '@shared/contract/contract'
import type { JournalEntry, Run } from '@shared/contract/orchestration'
import type { RunDetails } from '@shared/contract/runDetails'
import { call } from '../../../client/call'
import { oneOf, useViewState } from '../../../client/viewState'
import { Button } from '../../../widgets/Button'
import { visibleText } from '../../../widgets/visibleText'
import { lengthText, timeText } from '../details/parts'
import { Source } from '../Source'
import { useTurns } from '../turns/useTurns'
import { timelineOf, timeScale } from './timeline'
import { useOfRun } from './usePlan'

interface TimelineViewProps {
  readonly project: number
  readonly run: Run
  readonly chosen: string | null
  readonly onChoose: (key: string) => void
}

const readIdle = oneOf(true, false)
/** Upper limit for observed changes; the journal has the rest. */
const MAX_PAGES = 3
const MAX_ROWS = 1_000

interface Times {
  readonly details: RunDetails
  readonly journal: readonly JournalEntry[]
}

async function readTimes(project: number, run: string, isOver: () => boolean): Promise<Times> {
  const { details } = await call('projects.details', { project, run })
  const journal: JournalEntry[] = []
  let before: number | null = null
  for (let page = 0; page < MAX_PAGES && !isOver(); page++) {
    const { entries, next }: Output<'projects.journal'> = await call('projects.journal', { project, run, before })
    journal.push(...entries)
    if (next === null) break
    before = next
  }
  return { details, journal }
}

export function TimelineView({ project, run, chosen, onChoose }: TimelineViewProps) {
  const { value, problem } = useOfRun(true, project, run, readTimes)
  const [leaveOutIdle, setLeaveOutIdle] = useViewState('projects.leaveOutIdle', readIdle)
  const turns = useTurns(project, run)
  const all = useMemo(() => (value ? timelineOf(value.details, run, value.journal, turns) : []), [value, run, turns])
  const rows = useMemo(() => all.slice(-MAX_ROWS), [all])
  const end = Math.max(
    run.updatedAt.value ?? -Infinity,
    run.writtenAt ?? -Infinity,
    ...rows.map(({ from, to }) => to ?? from),
  )
  const scale = useMemo(() => timeScale(rows, end, leaveOutIdle), [rows, end, leaveOutIdle])
  if (problem !== null) return <p className="problem">{problem}</p>
  if (value === null) return <p className="muted">Loading times…</p>
  if (rows.length === 0) {
    return (
      <p className="muted">
        No times on disk: {formatInfo[run.system].title} recorded no start or end here, and nothing has changed since
        the project was opened.
      </p>
    )
  }
  const percent = (time: number): string => `${(100 * scale.placeOf(time)).toFixed(2)}%`
  return (
    <div className="plan-timeline">
      <div className="plan-bar">
        <Button label="Leave out idle time" pressed={leaveOutIdle} onClick={() => setLeaveOutIdle(!leaveOutIdle)} />
        <span className="muted">
          {timeText(scale.from)} to {timeText(scale.to)}
          {scale.leftOut > 0 ? `, ${lengthText(scale.leftOut)} idle left out` : ''}
          {all.length > rows.length ? `; the last ${MAX_ROWS} of ${all.length}` : ''}
        </span>
      </div>
      <ol className="plan-times scroll-pane" tabIndex={0} aria-label="What happened when">
        {rows.map(({ label, from, to, tone, note, source, key }, at) => (
          <li
            key={at}
            aria-current={key !== null && key === chosen ? true : undefined}
            onClick={() => (key === null ? undefined : onChoose(key))}
          >
            <span className="plan-time-label" title={visibleText(label)}>
              {visibleText(label)}
            </span>
            <span className="plan-track" aria-hidden>
              <span
                className={`plan-span tone-${tone} ${to === from ? 'moment' : to === null ? 'open' : ''}`}
                style={{
                  left: percent(from),
                  width: `max(3px, ${(100 * (scale.placeOf(to ?? end) - scale.placeOf(from))).toFixed(2)}%)`,
                }}
              />
            </span>
            <span className="plan-time-words">
              <span className="data">{timeText(from)}</span>{' '}
              {to === null
                ? source === null
                  ? 'still running'
                  : 'no end on disk'
                : to === from
                  ? ''
                  : lengthText(to - from)}{' '}
              <span className="muted">{visibleText(note)}</span>
            </span>
            <Source project={project} source={source} />
          </li>
        ))}
      </ol>
    </div>
  )
}
