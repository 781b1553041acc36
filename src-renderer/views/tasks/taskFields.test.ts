import { describe, expect, it } from 'vitest'
import type { OperationDescription } from '@shared/contract/tasks'
import { argumentFieldsOf } from './argumentForm'
import { emptyDraft, type TaskDraft } from './taskDraft'
import {
  changeDraft,
  checkDraft,
  describeArgument,
  describeSchedule,
  scheduleFields,
  scheduleOf,
  valuesOf,
} from './taskFields'

const operation: OperationDescription = {
  name: 'load',
  title: 'Load',
  description: 'Loads a file.',
  types: ['foreground', 'background'],
  needs: [],
  writes: true,
  savesFiles: false,
  arguments: {
    properties: {
      path: { type: 'string', format: 'path' },
      run: { type: 'boolean', default: true },
      space: { type: 'string', enum: ['ram', 'cpu'], default: 'ram' },
      address: { type: 'string', default: '$0801' },
    },
    required: ['path'],
  },
}
const args = argumentFieldsOf(operation.arguments)
const recurring: TaskDraft = { ...emptyDraft, type: 'background' }
const schedule = (draft: TaskDraft, limit: string | null = null) =>
  describeSchedule({ operations: [operation], operation, draft, limit })

describe('the fields of a new task', () => {
  it('ask for an interval only when it recurs, and say what the machine cannot do', () => {
    expect(schedule(emptyDraft).map(({ name }) => name)).toEqual([
      scheduleFields.operation,
      scheduleFields.type,
      scheduleFields.name,
    ])
    expect(schedule(recurring).map(({ name }) => name)).toContain(scheduleFields.interval)
    expect(schedule(emptyDraft, 'no files')[0]?.hints).toEqual([
      { text: 'Loads a file. It changes the machine.' },
      { text: 'Not on this machine: no files', tone: 'problem' },
    ])
  })

  it('list operations by what they leave behind, with the name of files behind “?”', () => {
    const capture = { ...operation, name: 'capture', title: 'Capture', writes: false, savesFiles: true }
    const [field] = describeSchedule({ operations: [operation, capture], operation, draft: emptyDraft, limit: null })
    expect(field).toMatchObject({
      options: [
        { value: 'load', label: 'Load', group: 'Change the machine' },
        { value: 'capture', label: 'Capture', group: 'Save files' },
      ],
      help: expect.stringContaining('load') as string,
    })
  })

  it('show defaults of flags and choices as their values, of texts beside them', () => {
    expect(valuesOf(operation, emptyDraft, args, {})).toMatchObject({
      path: '',
      run: 'true',
      space: 'ram',
      address: '',
    })
    const kinds = args.map((field) => describeArgument(field, 'old.prg', () => undefined))
    expect(kinds.map(({ label, kind }) => `${label}: ${kind}`)).toEqual([
      'Path: file',
      'Run: checkbox',
      'Space: select',
      'Address: text',
    ])
    expect(kinds.map((field) => 'placeholder' in field && field.placeholder)).toEqual([
      'before: old.prg',
      false,
      false,
      '$0801',
    ])
  })

  it('are named by the words of their arguments', () => {
    const properties = {
      address: { type: 'string' },
      waitForMachine: { type: 'integer', title: 'Wait for machine (s)' },
      durationMs: { type: 'integer', default: 10_000 },
    }
    const described = argumentFieldsOf({ properties }).map((field) =>
      describeArgument(field, undefined, () => undefined),
    )
    expect(described.map(({ label }) => label)).toEqual(['Address', 'Wait for machine (s)', 'Duration (s)'])
  })

  it('take a change into the draft, and make the schedule of it', () => {
    const named = changeDraft(changeDraft(recurring, scheduleFields.name, 'often'), scheduleFields.iterations, '3')
    expect(scheduleOf(named)).toEqual({ type: 'background', name: 'often', intervalMs: 1000, maxIterations: 3 })
    expect(scheduleOf(changeDraft(named, scheduleFields.type, 'foreground'))).toEqual({
      type: 'foreground',
      name: 'often',
    })
    expect(changeDraft(recurring, 'address', '$C000').args).toEqual({ address: '$C000' })
  })

  it('are checked, each problem at its field', () => {
    const chosen = { path: 'a.prg' }
    expect(checkDraft({ ...recurring, args: { path: '/old.prg' } }, args, {}, {})).toMatchObject({ field: 'path' })
    expect(checkDraft(recurring, args, {}, chosen)).toBeNull()
    expect(checkDraft({ ...recurring, name: 'a name' }, args, {}, chosen)).toMatchObject({ field: scheduleFields.name })
    expect(checkDraft({ ...recurring, interval: 'often' }, args, {}, chosen)).toMatchObject({
      field: scheduleFields.interval,
    })
    expect(checkDraft({ ...recurring, iterations: '0' }, args, {}, chosen)).toMatchObject({
      field: scheduleFields.iterations,
    })
    expect(checkDraft(recurring, args, { bytes: '1'.repeat(300_000) }, chosen)).toMatchObject({ field: null })
  })
})
