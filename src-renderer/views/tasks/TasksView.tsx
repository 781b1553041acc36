import { Plus, Square } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import type { Task } from '@shared/contract/tasks'
import { perform } from '../../client/actions'
import { useBridge, useMachineTitles } from '../../client/machines'
import { useClock } from '../../widgets/useClock'
import { useReading } from '../../client/useReading'
import type { ViewProps } from '../../client/view'
import { ChoiceSegments } from '../../client/ChoiceSegments'
import { useChosen } from '../../client/chosen'
import { useViewState } from '../../client/viewState'
import { ListAndDetail } from '../../widgets/ListAndDetail'
import { Button } from '../../widgets/Button'
import { RepairTasks } from './RepairTasks'
import { StartForm } from './StartForm'
import type { StartedFrom } from './taskDraft'
import { setChoice, useChoice, type Choice } from './choice'
import { readOperations, refreshTasks, useTasks } from '../../client/tasks'
import { TaskDetail } from './TaskDetail'
import { TaskList } from './TaskList'
import { columns, rowsOf, type Order } from './taskRows'
import './tasks.css'

const CLOCK_MS = 1_000

const newestFirst: Order = { column: 'name', descending: true }
const readOrder = (stored: unknown): Order => {
  if (typeof stored !== 'object' || stored === null || !('column' in stored) || !('descending' in stored))
    return newestFirst
  const column = columns.find((name) => name === stored.column)
  return column === undefined ? newestFirst : { column, descending: stored.descending === true }
}

const readAll = () => Promise.all([refreshTasks(), readOperations()])

export function TasksView({ visible }: ViewProps) {
  const bridge = useBridge()
  const { tasks, home, problems } = useTasks()
  const [filter] = useChosen('tasks.filter')
  const [order, setOrder] = useViewState('tasks.order', readOrder)
  const [search, setSearch] = useState('')
  const { choice } = useChoice()
  const now = useClock(visible, CLOCK_MS)
  const titles = useMachineTitles()
  const searchField = useRef<HTMLInputElement>(null)
  const isRead = useTasks(({ home, operations }) => home !== null && operations !== null)
  const problem = useReading(visible && bridge.state === 'ready', isRead, readAll)
  // Only sorting by duration makes the rows depend on the time.
  const sortedAt = order.column === 'duration' ? now : 0
  const rows = useMemo(
    () => rowsOf(tasks.values(), titles, filter, search, order, sortedAt),
    [tasks, titles, filter, search, order, sortedAt],
  )
  if (home === null) {
    return (
      <div className="empty" role="status">
        <p>{problem ?? 'Waiting for the bridge to start…'}</p>
      </div>
    )
  }
  const chosen = choice !== null && 'task' in choice ? tasks.get(choice.task) : undefined
  return (
    <>
      <div className="toolbar">
        <Button label="New task" icon={Plus} look="primary" shortcut="N" onClick={() => perform('task.new')} />
        <input
          ref={searchField}
          className="field tasks-search"
          type="search"
          data-panel-focus={choice !== null && 'form' in choice ? undefined : true}
          aria-label="Search the tasks"
          placeholder="Search  /"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
        <ChoiceSegments choice="tasks.filter" />
        <span className="muted" role="status">
          {rows.length === tasks.size ? '' : `${rows.length} of `}
          {tasks.size === 1 ? '1 task' : `${tasks.size} tasks`}
        </span>
        <StopAll tasks={tasks} />
      </div>
      {problems.map(({ file, message, hint, repairable }) => (
        <p key={`${file} ${message}`} className="tasks-problem" role="alert">
          {message.startsWith(file) ? null : (
            <>
              <span className="data">{file}</span>:{' '}
            </>
          )}
          {message} {hint}{' '}
          {repairable === true ? <Button label="Preview repair" onClick={() => setChoice({ repair: true })} /> : null}
        </p>
      ))}
      <ListAndDetail
        className="tasks"
        onKeyDown={(event) => {
          if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
          if (event.key === '/') searchField.current?.focus()
          else if (event.key === 'n' || event.key === 'N') perform('task.new')
          else return
          event.preventDefault()
        }}
      >
        <TaskList
          tasks={rows}
          isSearched={tasks.size > 0}
          titles={titles}
          home={home}
          now={now}
          chosen={chosen?.id ?? null}
          order={order}
          onOrder={setOrder}
          onChoose={(id) => setChoice({ task: id })}
        />
        <div className="tasks-detail" role="region" aria-label="Details" tabIndex={0}>
          <Detail
            isRepair={choice !== null && 'repair' in choice}
            form={choice !== null && 'form' in choice ? choice.form : undefined}
            task={chosen}
            now={now}
            onChoice={setChoice}
          />
        </div>
      </ListAndDetail>
    </>
  )
}

function StopAll({ tasks }: { readonly tasks: ReadonlyMap<string, Task> }) {
  const isRunning = useMemo(
    () => [...tasks.values()].some(({ status, runner }) => status === 'running' && runner === 'here'),
    [tasks],
  )
  return (
    <Button
      label="Stop all"
      icon={Square}
      look="plain"
      why={isRunning ? null : 'No task is running here.'}
      onClick={() => perform('task.stopAll')}
    />
  )
}

interface DetailProps {
  readonly isRepair: boolean
  /** What a new task begins with; undefined while no form is open. */
  readonly form: StartedFrom | null | undefined
  readonly task: Task | undefined
  readonly now: number
  readonly onChoice: (choice: Choice) => void
}

function Detail({ isRepair, form, task, now, onChoice }: DetailProps) {
  const showTask = (id: string) => onChoice({ task: id })
  if (isRepair) return <RepairTasks onDone={() => onChoice(null)} />
  if (form !== undefined) return <StartForm from={form} onStarted={showTask} onCancel={() => onChoice(null)} />
  if (task === undefined) return <p className="muted">Choose a task, or start a new one.</p>
  return (
    <TaskDetail key={task.id} task={task} now={now} onCopy={(from) => onChoice({ form: from })} onStarted={showTask} />
  )
}

const isTyping = (target: EventTarget): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select')
