import { builtInNames, type Names } from '@shared/c64/labels/names'
import {
  isInterval,
  isIterations,
  MAX_ARGUMENTS_CHARACTERS,
  taskNamePattern,
  type OperationDescription,
} from '@shared/contract/tasks'
import type { FieldDescription, FieldHint, FieldValue, FieldValues } from '../../widgets/form/fields'
import type { FormProblem } from '../../widgets/form/useForm'
import { missingIn, understoodIn, type ArgumentDraft, type ArgumentField } from './argumentForm'
import type { TaskDraft } from './taskDraft'

/** No argument has a dot in its name. */
export const scheduleFields = {
  operation: 'task.operation',
  type: 'task.type',
  interval: 'task.interval',
  iterations: 'task.iterations',
  name: 'task.name',
} as const

const NAME_RULE = 'A name has 1 to 64 of a-z, 0-9, _ and -.'

interface ShownTask {
  readonly operations: readonly OperationDescription[]
  readonly operation: OperationDescription
  readonly draft: TaskDraft
  /** Why the machine in front cannot run the operation. */
  readonly limit: string | null
}

export function describeSchedule({ operations, operation, draft, limit }: ShownTask): FieldDescription[] {
  const about: FieldHint[] = [
    { text: `${operation.description}${operation.writes ? ' It changes the machine.' : ''}` },
    ...(limit === null ? [] : [{ text: `Not on this machine: ${limit}`, tone: 'problem' } as const]),
  ]
  const { types } = operation
  const recurring: FieldDescription[] = [
    { kind: 'text', name: scheduleFields.interval, label: 'Interval (ms)', inputMode: 'numeric', isData: true },
    {
      kind: 'text',
      name: scheduleFields.iterations,
      label: 'Runs',
      inputMode: 'numeric',
      isData: true,
      placeholder: 'until stopped',
    },
  ]
  return [
    {
      kind: 'select',
      name: scheduleFields.operation,
      label: 'Operation',
      options: operations.map(({ name, title, savesFiles, writes }) => ({
        value: name,
        label: title,
        group: savesFiles ? 'Save files' : writes ? 'Change the machine' : 'Read',
      })),
      help: `Called ${operation.name} in files and on the command line.`,
      hints: about,
    },
    {
      kind: 'segments',
      name: scheduleFields.type,
      label: 'How often',
      options: [
        {
          value: 'foreground',
          label: 'Once',
          why: types.includes('foreground') ? null : 'This operation only recurs.',
        },
        {
          value: 'background',
          label: 'Again and again',
          why: types.includes('background') ? null : 'This operation runs once.',
        },
      ],
    },
    ...(draft.type === 'background' ? recurring : []),
    {
      kind: 'text',
      name: scheduleFields.name,
      label: 'Name',
      isData: true,
      placeholder: operation.name,
      error: draft.name === '' || taskNamePattern.test(draft.name) ? null : NAME_RULE,
    },
  ]
}

export function describeArgument(
  field: ArgumentField,
  typed: string | undefined,
  onChooseFile: () => void,
  names: Names = builtInNames,
): FieldDescription {
  const { name, label, description, kind, options, fallback, required } = field
  const meaning = understoodIn(field, typed ?? '', names)
  const hints = meaning === '' ? [] : [{ text: meaning, tone: 'data' as const }]
  const common = { name, label, required, hints, help: description }
  switch (kind) {
    case 'file':
      return { ...common, kind, onChoose: onChooseFile, placeholder: typed ? `before: ${typed}` : 'none' }
    case 'flag':
      return { ...common, kind: 'checkbox' }
    case 'choice': {
      const choices = options.map((option) => ({ value: option, label: option }))
      return { ...common, kind: 'select', options: fallback === '' ? [{ value: '', label: '-' }, ...choices] : choices }
    }
    case 'lines':
      return { ...common, kind, rows: 3, isData: true }
    case 'choices':
    case 'number':
    case 'text':
      return { ...common, kind: 'text', isData: true, placeholder: fallback === '' ? options.join(', ') : fallback }
  }
}

export const scheduleOf = ({ type, name, interval, iterations }: TaskDraft) => ({
  type,
  ...(name === '' ? {} : { name }),
  ...(type === 'background' ? { intervalMs: Number(interval) } : {}),
  ...(type === 'background' && iterations.trim() !== '' ? { maxIterations: Number(iterations) } : {}),
})

export function valuesOf(
  operation: OperationDescription,
  draft: TaskDraft,
  fields: readonly ArgumentField[],
  fileNames: Readonly<Record<string, string>>,
): FieldValues {
  const shown = ({ name, kind, fallback }: ArgumentField): string => {
    if (kind === 'file') return fileNames[name] ?? ''
    return draft.args[name] ?? (kind === 'flag' || kind === 'choice' ? fallback : '')
  }
  return {
    [scheduleFields.operation]: operation.name,
    [scheduleFields.type]: draft.type,
    [scheduleFields.interval]: draft.interval,
    [scheduleFields.iterations]: draft.iterations,
    [scheduleFields.name]: draft.name,
    ...Object.fromEntries(fields.map((field) => [field.name, shown(field)])),
  }
}

export function changeDraft(draft: TaskDraft, name: string, value: FieldValue): TaskDraft {
  const text = typeof value === 'string' ? value : ''
  switch (name) {
    case scheduleFields.type:
      return { ...draft, type: text === 'background' ? 'background' : 'foreground' }
    case scheduleFields.interval:
      return { ...draft, interval: text }
    case scheduleFields.iterations:
      return { ...draft, iterations: text }
    case scheduleFields.name:
      return { ...draft, name: text }
    default:
      return { ...draft, args: { ...draft.args, [name]: text } }
  }
}

/** What is wrong with values that the operation itself does not check; null when nothing is. */
export function checkDraft(
  draft: TaskDraft,
  fields: readonly ArgumentField[],
  args: object,
  fileNames: Readonly<Record<string, string>>,
): FormProblem | null {
  // The path of an earlier task does not count: the file is chosen again.
  const files: [string, string][] = fields
    .filter(({ kind }) => kind === 'file')
    .map(({ name }) => [name, fileNames[name] ?? ''])
  const typed: ArgumentDraft = { ...draft.args, ...Object.fromEntries(files) }
  const [missing] = missingIn(fields, typed)
  if (missing !== undefined) return { field: missing.name, text: `${missing.label} is missing.` }
  const { type, name, interval, iterations } = draft
  if (name !== '' && !taskNamePattern.test(name)) return { field: scheduleFields.name, text: NAME_RULE }
  if (type === 'background' && !isInterval(interval))
    return { field: scheduleFields.interval, text: 'Interval: a whole number of ms, from 1 to 86,400,000.' }
  if (type === 'background' && iterations.trim() !== '' && !isIterations(iterations))
    return { field: scheduleFields.iterations, text: 'Runs: a whole number from 1, or nothing.' }
  if (JSON.stringify(args).length > MAX_ARGUMENTS_CHARACTERS)
    return { field: null, text: 'Too long: the arguments of a task have at most 200,000 characters.' }
  return null
}
