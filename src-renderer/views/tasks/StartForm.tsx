import { Play } from 'lucide-react'
import { useState } from 'react'
import type { MachineState } from '@shared/contract/machine'
import type { Output } from '@shared/contract/contract'
import type { OperationDescription } from '@shared/contract/tasks'
import { call } from '../../client/call'
import { useNames } from '../../client/labels'
import { findMachine, isConnected, limitOf, useFrontName, useMachines } from '../../client/machines'
import { attempt } from '../../client/messages'
import { recordingOperations } from '../../client/recordings'
import { resumeOffer, whyStandsStill } from '../../client/standsStill'
import { useTasks } from '../../client/tasks'
import { useViewState } from '../../client/viewState'
import { Button } from '../../widgets/Button'
import { Form, FormFields, FormProblemText, SubmitButton } from '../../widgets/form/Form'
import { textOf } from '../../widgets/form/fields'
import { useForm } from '../../widgets/form/useForm'
import { argumentFieldsOf, argumentsOf } from './argumentForm'
import { draftsOfTask, emptyDraft, readDrafts, type Drafts, type StartedFrom, type TaskDraft } from './taskDraft'
import {
  changeDraft,
  checkDraft,
  describeArgument,
  describeSchedule,
  scheduleFields,
  scheduleOf,
  valuesOf,
} from './taskFields'

interface StartFormProps {
  readonly from: StartedFrom | null
  readonly onStarted: (id: string) => void
  readonly onCancel: () => void
}

export function StartForm({ from, onStarted, onCancel }: StartFormProps) {
  const operations = useTasks((state) => state.operations)
  if (operations === null) return <p role="status">Loading operations…</p>
  return (
    <TaskForm key={from?.task.id ?? ''} operations={operations} from={from} onStarted={onStarted} onCancel={onCancel} />
  )
}

interface TaskFormProps extends StartFormProps {
  readonly operations: readonly OperationDescription[]
}

function TaskForm({ operations, from, onStarted, onCancel }: TaskFormProps) {
  const { drafts, change, settle } = useDrafts(operations, from)
  const operation = operations.find(({ name }) => name === drafts.operation) ?? operations[0]
  if (!operation) return <p>There are no operations.</p>
  const draft = draftFor(operation, drafts)
  const withDraft = (next: TaskDraft): Drafts => ({
    operation: operation.name,
    drafts: { ...drafts.drafts, [operation.name]: next },
  })
  return (
    <OperationForm
      operations={operations}
      operation={operation}
      draft={draft}
      onOperation={(name) => change({ ...drafts, operation: name })}
      onDraft={(next) => change(withDraft(next))}
      onStarted={(id) => {
        settle(operation.name, { ...draft, name: '' })
        onStarted(id)
      }}
      onCancel={onCancel}
    />
  )
}

function useDrafts(operations: readonly OperationDescription[], from: StartedFrom | null) {
  const [kept, keep] = useViewState('tasks.drafts', readDrafts)
  const [copied, setCopied] = useState<Drafts | null>(() => (from === null ? null : draftsOfTask(from, operations)))
  return {
    drafts: copied ?? kept,
    change: copied === null ? keep : setCopied,
    settle: (operation: string, draft: TaskDraft) =>
      keep({ operation, drafts: { ...kept.drafts, [operation]: draft } }),
  }
}

function draftFor({ name, types }: OperationDescription, { drafts }: Drafts): TaskDraft {
  const draft = drafts[name] ?? emptyDraft
  return types.includes(draft.type) ? draft : { ...draft, type: types[0] ?? 'foreground' }
}

interface OperationFormProps {
  readonly operations: readonly OperationDescription[]
  readonly operation: OperationDescription
  readonly draft: TaskDraft
  readonly onOperation: (name: string) => void
  readonly onDraft: (draft: TaskDraft) => void
  readonly onStarted: (id: string) => void
  readonly onCancel: () => void
}

function OperationForm(props: OperationFormProps) {
  const { operations, operation, draft, onOperation, onDraft, onStarted, onCancel } = props
  const machine = useFrontName()
  const state = useMachines((machines) => findMachine(machines, machine))
  const names = useNames()
  const files = useChosenFiles()
  const limits = isConnected(state) ? operation.needs.map((need) => limitOf(state, need)) : []
  const args = argumentFieldsOf(operation.arguments)
  const fileNames = namesOf(files.chosen)
  const form = useForm({
    fields: [
      ...describeSchedule({ operations, operation, draft, limit: limits.find((limit) => limit !== null) ?? null }),
      ...args.map((field) => describeArgument(field, draft.args[field.name], () => files.choose(field.name), names)),
    ],
    values: valuesOf(operation, draft, args, fileNames),
    onChange: (name, value) => {
      if (name === scheduleFields.operation) onOperation(textOf(value))
      else onDraft(changeDraft(draft, name, value))
    },
    check: () => checkDraft(draft, args, argumentsOf(args, draft.args, names), fileNames),
    send: async () => {
      const { id } = await call('tasks.startGranted', {
        operation: operation.name,
        machine,
        args: argumentsOf(args, draft.args, names),
        files: Object.fromEntries(args.flatMap(({ name }) => grantOf(name, files.chosen))),
        ...scheduleOf(draft),
      })
      onStarted(id)
    },
  })
  return (
    <Form form={form} label="New task" layout="columns">
      <h2>New task on {state?.title ?? machine}</h2>
      <FormFields form={form} autoFocus />
      {recordingOperations.includes(operation.name) || draft.type === 'background' ? (
        <StandsStill state={state} />
      ) : null}
      <FormProblemText form={form} />
      <div className="form-end">
        <SubmitButton form={form} label="Start" sending="Starting…" />
        <Button label="Cancel" onClick={onCancel} />
        <Button
          label="Empty the form"
          onClick={() => {
            onDraft(emptyDraft)
            files.forget()
            form.forgetProblem()
          }}
        />
      </div>
    </Form>
  )
}

/** Said before the task starts, as a paused machine may be what is wanted. */
function StandsStill({ state }: { readonly state: MachineState | undefined }) {
  const why = whyStandsStill(state)
  const offer = resumeOffer(state)
  if (why === null) return null
  return (
    <p className="task-still" role="status">
      {why} {offer === null ? null : <Button label={offer.label} icon={Play} onClick={offer.run} />}
    </p>
  )
}

type ChosenFile = NonNullable<Output<'tasks.chooseFile'>['file']>
type ChosenFiles = Readonly<Record<string, ChosenFile>>

const namesOf = (chosen: ChosenFiles) =>
  Object.fromEntries(Object.entries(chosen).map(([name, file]) => [name, file.name]))

const grantOf = (name: string, chosen: ChosenFiles): [string, string][] =>
  chosen[name] ? [[name, chosen[name].grant]] : []

function useChosenFiles() {
  const [chosen, setChosen] = useState<ChosenFiles>({})
  const choose = (name: string) =>
    attempt(async () => {
      const { file } = await call('tasks.chooseFile', {})
      if (file) setChosen((files) => ({ ...files, [name]: file }))
    })
  return { chosen, choose, forget: () => setChosen({}) }
}
