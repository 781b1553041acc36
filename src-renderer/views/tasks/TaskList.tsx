import { useVirtualizer } from '@tanstack/react-virtual'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { useEffect, useRef, type KeyboardEvent } from 'react'
import type { Task } from '@shared/contract/tasks'
import { durationText } from '../../widgets/durationText'
import {
  columns,
  durationOf,
  kindText,
  nextText,
  progressText,
  shareOf,
  stateOf,
  type Column,
  type Order,
} from './taskRows'

/** Of a row, CSS px. */
const ROW_PX = 24

const titles: Readonly<Record<Column, string>> = {
  state: 'State',
  kind: 'Kind',
  name: 'Task',
  operation: 'Operation',
  machine: 'Machine',
  progress: 'Runs',
  next: 'Next',
  duration: 'Duration',
  error: 'Last error',
}

interface TaskListProps {
  readonly tasks: readonly Task[]
  /** Whether there are tasks at all, so that an empty list comes of the search. */
  readonly isSearched: boolean
  readonly home: string
  readonly now: number
  readonly chosen: string | null
  readonly order: Order
  readonly onOrder: (order: Order) => void
  readonly onChoose: (id: string) => void
}

/** The tasks, however many: only the rows that are seen are there. Arrow keys choose. */
export function TaskList({ tasks, isSearched, home, now, chosen, order, onOrder, onChoose }: TaskListProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: tasks.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
  })
  const at = tasks.findIndex(({ id }) => id === chosen)

  useEffect(() => {
    if (at >= 0) rows.scrollToIndex(at)
    // Where it stands may change without anybody having chosen anew; then the list stays where it is.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [chosen])

  const moveBy = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_PX) - 1)
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }[event.key]
    if (step === undefined || tasks.length === 0) return
    event.preventDefault()
    const next = at < 0 ? 0 : Math.min(tasks.length - 1, Math.max(0, at + step))
    const task = tasks[next]
    if (task) onChoose(task.id)
  }

  return (
    <div className="tasks-list">
      <div className="task-row task-head">
        {columns.map((column) => (
          <button
            key={column}
            type="button"
            className={`task-sort task-${column}`}
            aria-label={`Sort by ${titles[column].toLowerCase()}${order.column === column ? `, now ${order.descending ? 'descending' : 'ascending'}` : ''}`}
            onClick={() => onOrder({ column, descending: order.column === column && !order.descending })}
          >
            {titles[column]}
            {order.column !== column ? null : order.descending ? (
              <ChevronDown size={12} aria-hidden />
            ) : (
              <ChevronUp size={12} aria-hidden />
            )}
          </button>
        ))}
      </div>
      {tasks.length > 0 ? null : (
        <p className="tasks-empty muted">
          {isSearched ? 'No matching tasks.' : 'No tasks yet. Tasks of Bridgedeck and of c64bridge are in '}
          {isSearched ? null : <span className="data">{home}</span>}
        </p>
      )}
      <div
        ref={scroller}
        className="task-rows"
        role="listbox"
        aria-label="Tasks"
        tabIndex={0}
        aria-activedescendant={at < 0 ? undefined : rowId(tasks[at]?.id)}
        onKeyDown={moveBy}
      >
        <div role="presentation" style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, start }) => {
            const task = tasks[index]
            if (!task) return null
            return (
              <div
                key={task.id}
                id={rowId(task.id)}
                role="option"
                aria-selected={task.id === chosen}
                aria-setsize={tasks.length}
                aria-posinset={index + 1}
                className="task-row"
                style={{ transform: `translateY(${start}px)` }}
                onClick={() => onChoose(task.id)}
              >
                <Cells task={task} now={now} />
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}

const rowId = (id: string | undefined): string => `task-${encodeURIComponent(id ?? '')}`

function Cells({ task, now }: { readonly task: Task; readonly now: number }) {
  const { word, tone } = stateOf(task)
  const share = shareOf(task)
  return (
    <>
      <span
        className={`state-words task-state ${tone}`}
        title={task.interrupted ?? task.waiting ?? task.lastError ?? undefined}
      >
        <span className="dot" aria-hidden />
        {word}
      </span>
      <span className="muted task-kind">{kindText(task)}</span>
      <span className="data task-name" title={task.id}>
        {task.id}
      </span>
      <span className="task-operation">{task.operation}</span>
      <span className="data muted task-machine" title={task.machine ?? undefined}>
        {task.machine}
      </span>
      <span className="data task-progress">
        {share === null || task.status !== 'running' ? null : <progress aria-label="Progress" value={share} max={1} />}
        <span
          title={
            task.missedTicks > 0
              ? `${task.missedTicks} runs were skipped because the one before was still running.`
              : undefined
          }
        >
          {progressText(task)}
        </span>
      </span>
      <span className="data task-next">{nextText(task, now)}</span>
      <span className="data task-duration">{durationText(durationOf(task, now))}</span>
      <span className="task-error" title={task.lastError ?? undefined}>
        {task.lastError}
      </span>
    </>
  )
}
