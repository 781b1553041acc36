import { Camera, ChevronDown, ChevronUp } from 'lucide-react'
import type { Task } from '@shared/contract/tasks'
import { durationText } from '@shared/durationText'
import { perform } from '../../client/actions'
import { titleOfMachine, type MachineTitles } from '../../client/machines'
import { Button } from '../../widgets/Button'
import { EmptyState } from '../../widgets/EmptyState'
import { ListBox } from '../../widgets/ListBox'
import { dayAndTime } from '../../widgets/times'
import { PathText } from '../../widgets/PathText'
import dark from './empty-dark.png'
import light from './empty-light.png'
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

const ROW_PX = 24

const titles: Readonly<Record<Column, string>> = {
  state: 'State',
  kind: 'Kind',
  name: 'Task',
  operation: 'Operation',
  machine: 'Machine',
  progress: 'Runs',
  next: 'Next',
  started: 'Started',
  duration: 'Duration',
  error: 'Last error',
}

interface TaskListProps {
  readonly tasks: readonly Task[]
  readonly isSearched: boolean
  readonly titles: MachineTitles
  readonly home: string
  readonly now: number
  readonly chosen: string | null
  readonly order: Order
  readonly onOrder: (order: Order) => void
  readonly onChoose: (id: string) => void
}

export function TaskList({ tasks, isSearched, titles, home, now, chosen, order, onOrder, onChoose }: TaskListProps) {
  return (
    <div className="tasks-list">
      <Head order={order} onOrder={onOrder} />
      {tasks.length > 0 ? null : isSearched ? (
        <p className="tasks-empty muted">No matching tasks.</p>
      ) : (
        <NoTasks home={home} />
      )}
      <ListBox
        label="Tasks"
        items={tasks}
        keyOf={({ id }) => id}
        chosen={chosen}
        height={ROW_PX}
        grows
        render={(task) => <Row task={task} machine={titleOfMachine(titles, task.machine)} now={now} />}
        onChoose={({ id }) => onChoose(id)}
      />
    </div>
  )
}

const NoTasks = ({ home }: Pick<TaskListProps, 'home'>) => (
  <div className="tasks-empty">
    <EmptyState
      picture={{ light, dark }}
      title="No tasks yet"
      action={<Button label="Capture the screen" icon={Camera} look="primary" onClick={() => perform('task.sample')} />}
    >
      <p>A task works on the machine once or again and again, and keeps what it found. Try one: capture the screen.</p>
      <p>
        Tasks of Bridgedeck and of c64bridge are in <PathText path={home} />
      </p>
    </EmptyState>
  </div>
)

function Head({ order, onOrder }: Pick<TaskListProps, 'order' | 'onOrder'>) {
  return (
    <div className="task-row task-head">
      {columns.map((column) => {
        const isSorted = order.column === column
        const Arrow = order.descending ? ChevronDown : ChevronUp
        const state = isSorted ? `, now ${order.descending ? 'descending' : 'ascending'}` : ''
        return (
          <button
            key={column}
            type="button"
            className={`task-sort task-${column}`}
            aria-label={`Sort by ${titles[column].toLowerCase()}${state}`}
            onClick={() => onOrder({ column, descending: isSorted && !order.descending })}
          >
            {titles[column]}
            {isSorted ? <Arrow size={12} aria-hidden /> : null}
          </button>
        )
      })}
    </div>
  )
}

interface RowProps {
  readonly task: Task
  readonly machine: string
  readonly now: number
}

function Row({ task, machine, now }: RowProps) {
  const { word, tone } = stateOf(task)
  const share = shareOf(task)
  return (
    <div className="task-row">
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
      <span className="muted task-machine" title={machine}>
        {machine}
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
      <span className="data task-started" title={task.startedAt === null ? undefined : dayAndTime(task.startedAt)}>
        {task.startedAt === null ? '' : dayAndTime(task.startedAt)}
      </span>
      <span className="data task-duration">{durationText(durationOf(task, now))}</span>
      <span className="task-error">{task.lastError}</span>
    </div>
  )
}
