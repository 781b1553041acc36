import { Copy, FolderOpen, History, Play, RotateCcw, Square, Trash2 } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Output } from '@shared/contract/contract'
import type { Task } from '@shared/contract/tasks'
import { call } from '../../client/call'
import { FilePath } from '../../client/FilePath'
import { useEvent } from '../../client/events'
import { titleOfMachine, useMachineTitles } from '../../client/machines'
import { attempt, describeError } from '../../client/messages'
import { useTasks } from '../../client/tasks'
import { oneOf, useViewState } from '../../client/viewState'
import { Button } from '../../widgets/Button'
import { Check } from '../../widgets/Check'
import { PathText } from '../../widgets/PathText'
import { dayAndTime } from '../../widgets/times'
import { counted } from '@shared/countedText'
import { durationText } from '@shared/durationText'
import { recordedText } from '@shared/recordedText'
import { showRecording } from '../../frames/timeline'
import { Artifacts } from './Artifacts'
import type { StartedFrom } from './taskDraft'
import { factsOf, factsOfResult } from './factRows'
import { durationOf, missedOf, nextText, progressText, shareOf, stateOf } from './taskRows'
import { RunsChart } from './RunsChart'
import { ValuesChart } from './ValuesChart'

/** Pause between two reads of a task that changes all the time, ms. */
const READ_INTERVAL_MS = 500

const MAX_LOG_CHARACTERS = 60_000

type Details = Output<'tasks.show'>

interface TaskDetailProps {
  readonly task: Task
  readonly now: number
  readonly onCopy: (from: StartedFrom) => void
  readonly onStarted: (id: string) => void
}

export function TaskDetail({ task, now, onCopy, onStarted }: TaskDetailProps) {
  const { details, problem, reading, isBehind } = useDetails(task)
  const title = useTitle(task.operation)
  const missed = missedOf(task, details?.result)
  const { word, tone } = stateOf(task)
  const why = new Set([task.interrupted, task.waiting, task.lastError, ...task.notices].filter((text) => text !== null))
  return (
    <>
      <h2 className="task-title">
        <span>{title}</span>
        <span className="data muted">{task.id}</span>
        <span className={`state-words ${tone}`}>
          <span className="dot" aria-hidden />
          {word === 'recorded' && task.recorded ? recordedText(task.recorded) : word}
        </span>
        {missed === null ? null : (
          <span className="state-words warn">
            <span className="dot" aria-hidden />
            {`${missed.missed} of ${missed.due} missed`}
          </span>
        )}
      </h2>
      {[...why].map((text) => (
        <p key={text} className={tone === 'bad' ? 'problem' : undefined}>
          {text}
        </p>
      ))}
      <Actions task={task} details={details} onCopy={onCopy} onStarted={onStarted} />
      <Facts task={task} title={title} folder={details?.folder ?? null} now={now} />
      {problem === null ? null : <p className="problem">{problem}</p>}
      {details === null ? null : (
        <>
          {details.problems.map(({ file, message }) => (
            <p key={`${file} ${message}`} className="problem">
              <span className="data">{file}</span>: {message}
            </p>
          ))}
          <Values title="Arguments" value={details.args} />
          <Artifacts
            id={task.id}
            folder={details.folder ?? task.folder}
            artifacts={details.artifacts}
            more={details.moreArtifacts}
            reading={reading}
          />
          {details.hasRecording ? (
            <ValuesChart id={task.id} own={task.own} reading={reading} isBehind={isBehind} />
          ) : (
            <RunsChart task={task} artifacts={details.artifacts} reading={reading} />
          )}
          <Values title="Result" value={details.result} factsIn={factsOfResult} />
          <Log id={task.id} start={details.log} />
        </>
      )}
    </>
  )
}

const useTitle = (operation: string): string =>
  useTasks(({ operations }) => operations?.find(({ name }) => name === operation)?.title ?? operation)

interface DetailsState {
  readonly details: Details | null
  readonly problem: string | null
  readonly reading: number
  readonly version: string
}

/** Read again when the task changes, and not all the time. */
function useDetails({ id, updatedAt, status, iterations }: Task): DetailsState & { readonly isBehind: boolean } {
  const version = `${updatedAt} ${status} ${iterations}`
  const [state, setState] = useState<DetailsState>({ details: null, problem: null, reading: 0, version: '' })
  const readAt = useRef(-Infinity)
  useEffect(() => {
    const abort = new AbortController()
    const read = async () => {
      readAt.current = performance.now()
      try {
        const details = await call('tasks.show', { id }, { signal: abort.signal })
        setState(({ reading }) => ({ details, problem: null, reading: reading + 1, version }))
      } catch (error) {
        if (!abort.signal.aborted) setState((before) => ({ ...before, problem: describeError(error), version }))
      }
    }
    const timer = setTimeout(() => void read(), Math.max(0, readAt.current + READ_INTERVAL_MS - performance.now()))
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [id, version])
  return { ...state, isBehind: state.version !== version }
}

function Actions({
  task,
  details,
  onCopy,
  onStarted,
}: Pick<TaskDetailProps, 'task' | 'onCopy' | 'onStarted'> & { readonly details: Details | null }) {
  const { id, status, runner, orphan, machine } = task
  const isOurs = status === 'running' && runner === 'here'
  const start = (command: 'tasks.runAgain' | 'tasks.resume') =>
    attempt(async () => onStarted((await call(command, { id })).id))
  return (
    <div className="task-buttons">
      {isOurs ? (
        <Button label="Stop" icon={Square} look="primary" onClick={() => attempt(() => call('tasks.stop', { id }))} />
      ) : null}
      {task.resumable ? (
        <Button label="Resume" icon={Play} look="primary" onClick={() => start('tasks.resume')} />
      ) : null}
      {orphan === 'noEntry' ? (
        <Button
          label="Adopt"
          look="primary"
          tip="Gives the folder an entry in tasks.json"
          onClick={() => attempt(() => call('tasks.adopt', { id }))}
        />
      ) : null}
      {orphan === 'noFolder' ? (
        <Button label="Remove the entry" onClick={() => attempt(() => call('tasks.removeEntry', { id }))} />
      ) : null}
      <Button
        label="Run again"
        icon={RotateCcw}
        why={
          status === 'running' && task.interrupted === null
            ? 'Still running.'
            : machine === null
              ? 'Its machine is unknown.'
              : null
        }
        onClick={() => start('tasks.runAgain')}
      />
      <Button
        label="Change and run"
        icon={Copy}
        why={details === null ? 'Loading…' : null}
        onClick={() => onCopy({ task, args: details?.args })}
      />
      {details?.hasRecording === true ? (
        <Button
          label="Show in Timeline"
          icon={History}
          why={task.own ? null : 'Only recordings of Bridgedeck’s own tasks are shown there.'}
          onClick={() => attempt(() => showRecording(id))}
        />
      ) : null}
      <Button
        label="Open the folder"
        icon={FolderOpen}
        why={orphan === 'noFolder' ? 'No folder.' : null}
        onClick={() => attempt(() => call('tasks.openFolder', { id }))}
      />
      {orphan === 'noFolder' ? null : (
        <Button
          label="Delete…"
          icon={Trash2}
          why={isOurs ? 'Stop it first.' : null}
          onClick={() => attempt(() => call('tasks.delete', { id }))}
        />
      )}
    </div>
  )
}

const timeText = (time: number | null): string => (time === null ? '' : dayAndTime(time))

interface FactsProps {
  readonly task: Task
  readonly title: string
  readonly folder: string | null
  readonly now: number
}

function Facts({ task, title, folder, now }: FactsProps) {
  const titles = useMachineTitles()
  const { id, type, operation, machine, intervalMs, startedAt, stoppedAt } = task
  const share = shareOf(task)
  const facts: readonly (readonly [title: string, text: string])[] = [
    [
      'Operation',
      operation === 'record' ? title : `${title}, ${type === 'background' ? `every ${intervalMs ?? '?'} ms` : 'once'}`,
    ],
    ['Machine', titleOfMachine(titles, machine) || 'unknown'],
    ['Started', timeText(startedAt)],
    ['Ended', timeText(stoppedAt)],
    ['Duration', durationText(durationOf(task, now))],
    [
      task.recorded ? 'Recorded' : 'Runs',
      [progressText(task), task.iterations === null ? '' : (task.progress?.text ?? '')].filter(Boolean).join(', '),
    ],
    ['Next run', nextText(task, now)],
  ]
  return (
    <>
      {share !== null && task.status === 'running' ? (
        <progress className="task-bar" aria-label="Progress" value={share} max={1} />
      ) : null}
      <dl className="task-facts">
        {facts.map(([title, text]) =>
          text === '' ? null : (
            <div key={title}>
              <dt>{title}</dt>
              <dd className="data">{text}</dd>
            </div>
          ),
        )}
        <div>
          <dt>Folder</dt>
          <dd className="data">
            {folder === null ? (
              <PathText path={task.folder} />
            ) : (
              <FilePath path={folder} onShow={() => call('tasks.openFolder', { id })} />
            )}
          </dd>
        </div>
      </dl>
    </>
  )
}

const readRaw = oneOf(false, true)

interface ValuesProps {
  readonly title: string
  readonly value: unknown
  readonly factsIn?: typeof factsOf
}

function Values({ title, value, factsIn = factsOf }: ValuesProps) {
  const [isRaw, setRaw] = useViewState('tasks.raw', readRaw)
  const { rows, more } = useMemo(() => factsIn(value), [value, factsIn])
  if (value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0))
    return null
  return (
    <section aria-label={title}>
      <div className="task-values-head">
        <h3>{title}</h3>
        <Check label="Raw" checked={isRaw} onChange={setRaw} />
      </div>
      {isRaw ? (
        <pre className="data task-text" tabIndex={0} aria-label={title}>
          {JSON.stringify(value, null, 2)}
        </pre>
      ) : (
        <>
          <table className="task-facts-table">
            <tbody>
              {rows.map(({ label, text }, index) => (
                <tr key={`${index} ${label}`}>
                  <th scope="row">{label}</th>
                  <td className="data">{text}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {more === 0 ? null : <p className="muted">{counted(more, 'more row')} in Raw.</p>}
        </>
      )}
    </section>
  )
}

function Log({ id, start }: { readonly id: string; readonly start: Details['log'] }) {
  const [log, setLog] = useState(start)
  const text = useRef<HTMLPreElement>(null)
  const follows = useRef(true)
  useEffect(() => setLog((shown) => (start.next > shown.next ? start : shown)), [start])
  useEvent('tasks.log', (part) => {
    if (part.id !== id) return
    setLog((shown) =>
      part.offset === shown.next
        ? { ...shown, text: (shown.text + part.text).slice(-MAX_LOG_CHARACTERS), next: part.next }
        : shown,
    )
  })
  useEffect(() => {
    if (follows.current && text.current) text.current.scrollTop = text.current.scrollHeight
  }, [log])
  if (log.text === '') return null
  return (
    <section aria-label="Log">
      <h3>Log</h3>
      <pre
        ref={text}
        className="data task-text"
        tabIndex={0}
        aria-label="Log"
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          follows.current = scrollHeight - scrollTop - clientHeight < 4
        }}
      >
        {log.text}
      </pre>
    </section>
  )
}
