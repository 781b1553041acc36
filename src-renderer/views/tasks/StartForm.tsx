import { useId, useState, type SubmitEvent } from 'react'
import type { Output } from '@shared/contract/contract'
import {
  isInterval,
  isIterations,
  MAX_ARGUMENTS_CHARACTERS,
  taskNamePattern,
  type OperationDescription,
  type Task,
  type TaskType,
} from '@shared/contract/tasks'
import { call } from '../../client/call'
import { limitOf, useFrontName, useMachines, findMachine, isConnected } from '../../client/machines'
import { attempt, describeError } from '../../client/messages'
import { useViewState } from '../../client/viewState'
import { Button } from '../../widgets/Button'
import { Segments } from '../../widgets/Segments'
import { argumentsOf, draftOf, fieldsOf, missingIn, type Draft, type Field } from './argumentForm'
import { useTasks } from '../../client/tasks'

/** A task whose operation and arguments the form begins with. */
export interface StartedFrom {
  readonly task: Task
  readonly args: unknown
}

interface StartFormProps {
  readonly from: StartedFrom | null
  readonly onStarted: (id: string) => void
  readonly onCancel: () => void
}

/** A task as it is typed so far. */
interface TaskDraft {
  readonly type: TaskType
  readonly name: string
  readonly interval: string
  readonly iterations: string
  readonly args: Draft
}

const emptyDraft: TaskDraft = { type: 'foreground', name: '', interval: '1000', iterations: '', args: {} }

interface Drafts {
  readonly operation: string
  readonly drafts: Readonly<Record<string, TaskDraft>>
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const textsOf = (value: unknown): Draft =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => isText(entry[1])))
    : {}

const readDraft = (stored: unknown): TaskDraft => {
  const { type, ...texts } = textsOf(stored)
  return {
    ...emptyDraft,
    ...texts,
    type: type === 'background' ? 'background' : 'foreground',
    args: isObject(stored) ? textsOf(stored['args']) : {},
  }
}

const readDrafts = (stored: unknown): Drafts => {
  const { operation, drafts } = isObject(stored) ? stored : {}
  return {
    operation: isText(operation) ? operation : '',
    drafts: isObject(drafts)
      ? Object.fromEntries(Object.entries(drafts).map(([name, draft]) => [name, readDraft(draft)]))
      : {},
  }
}

/** A new task: what it is to do, on the machine in front, and how often. What was typed is kept until it is started. */
export function StartForm({ from, onStarted, onCancel }: StartFormProps) {
  const operations = useTasks((state) => state.operations)
  if (operations === null) return <p role="status">The operations are being read.</p>
  return (
    <Form key={from?.task.id ?? ''} operations={operations} from={from} onStarted={onStarted} onCancel={onCancel} />
  )
}

function Form({
  operations,
  from,
  onStarted,
  onCancel,
}: StartFormProps & { readonly operations: readonly OperationDescription[] }) {
  const [kept, keep] = useViewState('tasks.drafts', readDrafts)
  const [copied, setCopied] = useState<Drafts | null>(() => (from === null ? null : draftsOfTask(from, operations)))
  const shown = copied ?? kept
  const change = copied === null ? keep : setCopied
  const [problem, setProblem] = useState<string | null>(null)
  const [starting, setStarting] = useState(false)
  const front = useFrontName()
  const state = useMachines((machines) => findMachine(machines, front))
  const ids = useId()
  const [files, setFiles] = useState<Readonly<Record<string, ChosenFile>>>({})

  const operation = operations.find(({ name }) => name === shown.operation) ?? operations[0]
  if (!operation) return <p>There are no operations.</p>
  const draft = shown.drafts[operation.name] ?? emptyDraft
  const type = operation.types.includes(draft.type) ? draft.type : (operation.types[0] ?? 'foreground')
  const fields = fieldsOf(operation.arguments)
  const limit = isConnected(state)
    ? operation.needs.map((need) => limitOf(state, need)).find((reason) => reason !== null)
    : undefined
  const badName = draft.name !== '' && !taskNamePattern.test(draft.name)

  const set = (changes: Partial<TaskDraft>) =>
    change({ operation: operation.name, drafts: { ...shown.drafts, [operation.name]: { ...draft, ...changes } } })

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (starting) return
    setProblem(null)
    const args = argumentsOf(fields, draft.args)
    const chosen = Object.fromEntries(fields.flatMap(({ name }) => (files[name] ? [[name, files[name]]] : [])))
    const names = Object.fromEntries(Object.entries(chosen).map(([name, file]) => [name, file.name]))
    const [first] = missingIn(fields, { ...withoutFiles(fields, draft.args), ...names })
    const wrong = first === undefined ? problemOf({ ...draft, type }, args) : `${first} is missing.`
    if (wrong !== null) {
      setProblem(wrong)
      return
    }
    setStarting(true)
    try {
      const task = await call('tasks.startGranted', {
        operation: operation.name,
        machine: front,
        type,
        args,
        files: Object.fromEntries(Object.entries(chosen).map(([name, { grant }]) => [name, grant])),
        ...(draft.name === '' ? {} : { name: draft.name }),
        ...(type === 'background' ? { intervalMs: Number(draft.interval) } : {}),
        ...(type === 'background' && draft.iterations.trim() !== '' ? { maxIterations: Number(draft.iterations) } : {}),
      })
      keep({ operation: operation.name, drafts: { ...kept.drafts, [operation.name]: { ...draft, name: '' } } })
      onStarted(task.id)
    } catch (error) {
      setProblem(describeError(error))
    } finally {
      setStarting(false)
    }
  }

  return (
    <form className="task-form" aria-label="New task" onSubmit={(event) => void submit(event)} noValidate>
      <h2>New task on {state?.title ?? front}</h2>
      <label htmlFor={`${ids}-operation`}>Operation</label>
      <select
        id={`${ids}-operation`}
        className="field"
        value={operation.name}
        autoFocus
        onChange={({ target }) => change({ ...shown, operation: target.value })}
      >
        {operations.map(({ name, title }) => (
          <option key={name} value={name}>
            {title} ({name})
          </option>
        ))}
      </select>
      <p className="task-hint muted">
        {operation.description}
        {operation.writes ? ' It changes the machine.' : ''}
      </p>
      {limit === undefined ? null : <p className="task-hint problem">Not on this machine: {limit}</p>}

      <span>How often</span>
      <Segments
        label="How often"
        value={type}
        options={[
          {
            value: 'foreground',
            label: 'Once',
            why: operation.types.includes('foreground') ? null : 'This operation only recurs.',
          },
          {
            value: 'background',
            label: 'Again and again',
            why: operation.types.includes('background') ? null : 'This operation runs once.',
          },
        ]}
        onChange={(chosen) => set({ type: chosen })}
      />
      {type === 'background' ? (
        <>
          <label htmlFor={`${ids}-interval`}>Every, ms</label>
          <input
            id={`${ids}-interval`}
            className="field data"
            inputMode="numeric"
            value={draft.interval}
            onChange={({ target }) => set({ interval: target.value })}
          />
          <label htmlFor={`${ids}-iterations`}>Runs</label>
          <input
            id={`${ids}-iterations`}
            className="field data"
            inputMode="numeric"
            placeholder="until it is stopped"
            value={draft.iterations}
            onChange={({ target }) => set({ iterations: target.value })}
          />
        </>
      ) : null}
      <label htmlFor={`${ids}-name`}>Name</label>
      <input
        id={`${ids}-name`}
        className="field data"
        placeholder={operation.name}
        spellCheck={false}
        value={draft.name}
        aria-invalid={badName}
        aria-describedby={badName ? `${ids}-name-hint` : undefined}
        onChange={({ target }) => set({ name: target.value })}
      />
      {badName ? (
        <p id={`${ids}-name-hint`} className="task-hint problem">
          A name has 1 to 64 of a-z, 0-9, _ and -.
        </p>
      ) : null}

      {fields.map((field) =>
        field.kind === 'file' ? (
          <FileField
            key={`${operation.name} ${field.name}`}
            field={field}
            file={files[field.name]}
            before={draft.args[field.name]}
            onChoose={(file) => setFiles({ ...files, [field.name]: file })}
          />
        ) : (
          <FormField
            key={`${operation.name} ${field.name}`}
            field={field}
            text={draft.args[field.name]}
            onChange={(text) => set({ args: { ...draft.args, [field.name]: text } })}
          />
        ),
      )}

      {problem === null ? null : (
        <p className="task-hint problem" role="alert">
          {problem}
        </p>
      )}
      <div className="task-buttons task-form-end">
        <button type="submit" className="button primary" aria-disabled={starting}>
          {starting ? 'Starting…' : 'Start'}
        </button>
        <Button label="Cancel" onClick={onCancel} />
        <Button
          label="Empty the form"
          look="plain"
          onClick={() => {
            set(emptyDraft)
            setFiles({})
          }}
        />
      </div>
    </form>
  )
}

/** What is wrong with what the operation itself does not check. */
function problemOf({ type, name, interval, iterations }: TaskDraft, args: object): string | null {
  if (name !== '' && !taskNamePattern.test(name)) return 'The name is none: it has 1 to 64 of a-z, 0-9, _ and -.'
  if (type === 'background' && !isInterval(interval)) return 'Every: a whole number of ms, from 1 to 86,400,000.'
  if (type === 'background' && iterations.trim() !== '' && !isIterations(iterations))
    return 'Runs: a whole number from 1, or nothing.'
  if (JSON.stringify(args).length > MAX_ARGUMENTS_CHARACTERS)
    return 'This is more than a task takes: its arguments may have 200,000 characters.'
  return null
}

const withoutFiles = (fields: readonly Field[], draft: Draft): Draft =>
  Object.fromEntries(
    Object.entries(draft).filter(([name]) => !fields.some((field) => field.name === name && field.kind === 'file')),
  )

/** The form as it was when that task was started. */
function draftsOfTask({ task, args }: StartedFrom, operations: readonly OperationDescription[]): Drafts {
  const { operation, type, name, intervalMs, maxIterations } = task
  const found = operations.find((candidate) => candidate.name === operation)
  const draft: TaskDraft = {
    ...{ type, interval: String(intervalMs ?? 1000), iterations: maxIterations === null ? '' : String(maxIterations) },
    name: taskNamePattern.test(name) && name !== operation ? name : '',
    args: found ? draftOf(fieldsOf(found.arguments), isObject(args) ? args : {}) : {},
  }
  return { operation, drafts: { [operation]: draft } }
}

type ChosenFile = NonNullable<Output<'tasks.chooseFile'>['file']>

interface FileFieldProps {
  readonly field: Field
  readonly file: ChosenFile | undefined
  /** The path of an earlier task: shown, and to be chosen again. */
  readonly before: string | undefined
  readonly onChoose: (file: ChosenFile) => void
}

/** A file of this computer, which only a native dialog can name. */
function FileField({ field: { name, description, required }, file, before, onChoose }: FileFieldProps) {
  const id = useId()
  const choose = async () => {
    const { file } = await call('tasks.chooseFile', {})
    if (file) onChoose(file)
  }
  return (
    <>
      <span id={id}>
        {name}
        {required ? ' *' : ''}
      </span>
      <div className="task-buttons" role="group" aria-labelledby={id}>
        <Button label="Choose a file…" onClick={() => attempt(choose)} />
        <span className="data">{file?.name ?? (before ? `it was ${before}` : 'none')}</span>
      </div>
      <p className="task-hint muted">{description}</p>
    </>
  )
}

interface FormFieldProps {
  readonly field: Field
  readonly text: string | undefined
  readonly onChange: (text: string) => void
}

function FormField({
  field: { name, description, kind, options, fallback, required },
  text,
  onChange,
}: FormFieldProps) {
  const id = useId()
  const shown = text ?? (kind === 'flag' ? fallback : '')
  const common = { id, 'aria-describedby': `${id}-hint` }
  const control = () => {
    switch (kind) {
      case 'flag':
        return (
          <input
            {...common}
            type="checkbox"
            checked={shown === 'true'}
            onChange={({ target }) => onChange(String(target.checked))}
          />
        )
      case 'choice':
        return (
          <select
            {...common}
            className="field"
            value={text ?? fallback}
            onChange={({ target }) => onChange(target.value)}
          >
            {fallback === '' ? <option value="">-</option> : null}
            {options.map((option) => (
              <option key={option}>{option}</option>
            ))}
          </select>
        )
      case 'lines':
        return (
          <textarea
            {...common}
            className="field data"
            rows={3}
            spellCheck={false}
            required={required}
            value={shown}
            onChange={({ target }) => onChange(target.value)}
          />
        )
      case 'file':
      case 'choices':
      case 'number':
      case 'text':
        return (
          <input
            {...common}
            className="field data"
            placeholder={fallback === '' ? options.join(', ') : fallback}
            spellCheck={false}
            autoComplete="off"
            required={required}
            value={shown}
            onChange={({ target }) => onChange(target.value)}
          />
        )
    }
  }
  return (
    <>
      <label htmlFor={id}>
        {name}
        {required ? ' *' : ''}
      </label>
      {control()}
      <p id={`${id}-hint`} className="task-hint muted">
        {description}
      </p>
    </>
  )
}
