import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, type KeyboardEvent } from 'react'
import type { RunRow } from '@shared/contract/orchestration'
import { checkText, isCheckFailure } from '@shared/hostCheck'
import { visibleText } from '../../widgets/visibleText'
import { Source } from './Source'
import { StateLabel } from './StateLabel'
import { lengthText } from './details/parts'
import { durationOf, hasRunningTime, MEASURED, standingLooks, type Plan as PlanGraph } from './plan/plan'
import { useClock } from '../../widgets/useClock'
import { blockedText, commitsText, standingWords } from './labels'

/** Row heights in CSS px: with a second line, and without. */
const TALL_ROW_PX = 40
const LOW_ROW_PX = 24

interface PlanProps {
  readonly project: number
  readonly rows: readonly RunRow[]
  readonly plan: PlanGraph | null
  readonly chosen: string | null
  readonly onChoose: (key: string) => void
  readonly onCommits: (row: RunRow) => void
  readonly onOpen: (row: RunRow) => void
}

export function Plan({ project, rows, plan, chosen, onChoose, onCommits, onOpen }: PlanProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const now = useClock(plan !== null && hasRunningTime(plan), 1_000)
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heightOf(rows[index]),
    overscan: 8,
  })
  const heights = rows.map(heightOf).join()
  // Sizes are kept by index: without this a row that gets a second line would be printed over by the next one.
  useLayoutEffect(() => {
    list.measure()
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [heights])
  const at = rows.findIndex(({ key }) => key === chosen)
  useEffect(() => {
    if (at >= 0) list.scrollToIndex(at)
    // Rows may move without a new choice; then the list stays where it is.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [chosen])
  const moveBy = (event: KeyboardEvent) => {
    const current = rows[at]
    if (event.key === 'Enter' && !event.altKey && current && event.target === event.currentTarget) {
      event.preventDefault()
      onOpen(current)
      return
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const next = step === undefined ? undefined : rows[at < 0 ? 0 : at + step]
    if (!next) return
    event.preventDefault()
    onChoose(next.key)
  }
  if (rows.length === 0) return <p className="muted">The files name no phase and no task.</p>
  return (
    <div
      ref={scroller}
      className="projects-plan scroll-pane"
      role="region"
      aria-label="Phases and tasks"
      tabIndex={0}
      onKeyDown={moveBy}
    >
      <ul style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map(({ index, start }) => {
          const row = rows[index]
          if (!row) return null
          const [blocked, more] = [blockedText(row), moreText(row)]
          return (
            <li
              key={index}
              className={`plan-row ${row.kind}`}
              aria-current={index === at ? true : undefined}
              onClick={() => onChoose(row.key)}
              onDoubleClick={() => onOpen(row)}
              style={{ transform: `translateY(${start}px)`, height: heightOf(row) }}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
            >
              <StateLabel {...standingWords[row.standing]} meaning={standingLooks[row.standing].meaning} />
              <span className="plan-title" title={visibleText(row.title.value ?? row.key)}>
                <span className="data">{visibleText(row.key)}</span> {visibleText(row.title.value ?? '')}
              </span>
              <span className="plan-took">
                {plan?.keys[index] === row.key ? <Took plan={plan} node={index} now={now} /> : null}{' '}
                <Source project={project} source={row.state.source ?? row.title.source} />
              </span>
              <span
                className={
                  blocked === '' && !row.commitStates.includes('missing') && !isCheckFailure(row.check)
                    ? 'muted plan-more'
                    : 'warn-text plan-more'
                }
                title={visibleText(row.blockedBy.map(({ key }) => key).join(', ')) || more}
              >
                {heldText(row)}
                {heldText(row) === '' || commitsText(row) === '' ? '' : ' · '}
                {row.commits?.value?.length ? (
                  <button type="button" className="source" onClick={() => onCommits(row)}>
                    {commitsText(row)}
                  </button>
                ) : (
                  commitsText(row)
                )}
              </span>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

function Took({ plan, node, now }: { readonly plan: PlanGraph; readonly node: number; readonly now: number }) {
  const duration = durationOf(plan, node, now)
  if (duration === null) return null
  return (
    <span className="muted data" title={plan.measured.has(node) ? 'Measured by Bridgedeck' : undefined}>
      {lengthText(duration)}
      {plan.measured.has(node) ? MEASURED : ''}
    </span>
  )
}

const moreText = (row: RunRow): string => [heldText(row), commitsText(row)].filter(Boolean).join(' · ')

const heldText = (row: RunRow): string =>
  [visibleText(blockedText(row)), ownerText(row), row.check ? checkText(row.check) : ''].filter(Boolean).join(' · ')

const heightOf = (row: RunRow | undefined): number => (row && moreText(row) !== '' ? TALL_ROW_PX : LOW_ROW_PX)

const ownerText = ({ owner }: RunRow): string => (owner?.value ? `by ${visibleText(owner.value)}` : '')
