/**
 * Changes that a person makes in the files of a run. The page never names a file to write: it chooses an action of a
 * run and fills in its form.
 */
import { z } from 'zod'
import { bridgeCommand, mainCommand } from './define'
import { fileName } from './fileName'
import { MAX_LINE_CHARACTERS, projectId, runKey, sourceSchema } from './orchestration'

export const MAX_ACTIONS = 300
export const MAX_EDITS = 100
const MAX_FILES = 200
export const MAX_PREVIEW_LINES = 3_000
export const MAX_PREVIEW_LINE_CHARACTERS = 2_000
const MAX_VALUE_CHARACTERS = 50_000

const count = z.int().min(0)
const line = z.string().max(MAX_LINE_CHARACTERS)
const name = z
  .string()
  .min(1)
  .max(200)
  .regex(/^\P{Cc}+$/u)
const target = z
  .string()
  .max(1000)
  .regex(/^\P{Cc}*$/u)
const editId = z.int().min(1).max(1_000_000_000)
const token = z.string().regex(/^[0-9a-f]{64}$/)

const option = z.strictObject({ value: z.string().max(1000), label: line })
const options = z.array(option).max(500).readonly()
export type FieldOption = z.infer<typeof option>
const chosen = z.array(z.string().max(1000)).max(500).readonly()
const ofEvery = { name, label: line, help: z.string().max(2000).optional(), optional: z.boolean().optional() }
const fieldSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    ...ofEvery,
    kind: z.enum(['line', 'text']),
    value: z.string().max(MAX_VALUE_CHARACTERS),
    suggestions: z.array(line).max(50).readonly().optional(),
  }),
  z.strictObject({
    ...ofEvery,
    kind: z.literal('number'),
    value: z.number().nullable(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    step: z.number().optional(),
  }),
  z.strictObject({ ...ofEvery, kind: z.literal('choice'), value: z.string().max(1000).nullable(), options }),
  z.strictObject({ ...ofEvery, kind: z.literal('several'), value: chosen, options }),
])
export type OfferedField = z.infer<typeof fieldSchema>

const values = z.record(name, z.union([z.string().max(MAX_VALUE_CHARACTERS), z.number(), chosen]))
/** An optional field left empty is absent. */
export type EditValues = z.infer<typeof values>

export const offeredActionSchema = z.strictObject({
  name,
  target,
  title: line,
  effect: z.string().max(2000),
  fields: z.array(fieldSchema).max(50).readonly(),
  source: sourceSchema,
  answersNeed: z.boolean(),
  /** What a run that asks nobody fills in; without it only a person can do this. */
  unattended: values.optional(),
})
export type OfferedAction = z.infer<typeof offeredActionSchema>

export const editRequestSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('action'), name, target, values }),
  z.strictObject({
    kind: z.literal('repair'),
    rule: z.string().min(1).max(100),
    file: fileName,
    line: z.int().min(1),
    column: z.int().min(1),
  }),
  /** Undoes what the edit changed, and nothing that came since. */
  z.strictObject({ kind: z.literal('undo'), edit: editId }),
])
export type EditRequest = z.infer<typeof editRequestSchema>

const hunkSchema = z.strictObject({
  /** Number of the first line, from 1; for no lines, that of the line before. */
  before: count,
  beforeLines: count,
  after: count,
  afterLines: count,
  /**
   * Each with its sign in front: ` `, `+`, `-`, or `\\` for the note that the line before has no end. Fewer than
   * counted when cut.
   */
  lines: z.array(z.string().max(MAX_PREVIEW_LINE_CHARACTERS)).max(MAX_PREVIEW_LINES),
})
export type Hunk = z.infer<typeof hunkSchema>

export const previewSchema = z.strictObject({
  summary: line,
  warnings: z.array(z.string().max(2000)).max(50),
  files: z
    .array(
      z.strictObject({
        file: z.string().max(1000),
        kind: z.enum(['changed', 'created', 'deleted', 'moved']),
        from: z.string().max(1000).nullable(),
        added: count,
        removed: count,
        bytes: count.nullable(),
        isTooLarge: z.boolean(),
        hunks: z.array(hunkSchema).max(MAX_PREVIEW_LINES),
      }),
    )
    .max(MAX_FILES),
  more: count,
  remembered: count,
  git: z.string().max(2000).nullable(),
  isPossible: z.boolean(),
  token,
})
export type Preview = z.infer<typeof previewSchema>

const changedValue = z.strictObject({
  file: z.string().max(1000),
  field: z.string().max(1000).nullable(),
  from: line.nullable(),
  to: line.nullable(),
})

const resultSchema = z.discriminatedUnion('outcome', [
  z.strictObject({ outcome: z.literal('written'), edit: editId, summary: line }),
  z.strictObject({ outcome: z.literal('nothing') }),
  z.strictObject({
    outcome: z.literal('conflict'),
    reason: z.string().max(4000),
    preview: previewSchema.nullable(),
    changed: z.array(changedValue).max(500),
  }),
])
export type WriteResult = z.infer<typeof resultSchema>

export const editSchema = z.strictObject({
  edit: editId,
  time: z.number(),
  run: runKey,
  summary: line,
  files: z.array(z.string().max(1000)).max(MAX_FILES),
  undoneAt: z.number().nullable(),
  overwritten: z
    .strictObject({ at: z.number(), file: z.string().max(1000), by: z.string().max(200).nullable() })
    .nullable(),
  request: editRequestSchema,
})
export type Edit = z.infer<typeof editSchema>

const oneRun = z.strictObject({ project: projectId, run: runKey })
const draftOf = oneRun.extend({ name, target })
export const draftSchema = z.strictObject({ values, at: z.number() })

export const editsCommands = {
  'projects.actions': bridgeCommand({
    effect: 'reads',
    input: oneRun.extend({ target: target.nullable() }),
    output: z.strictObject({ actions: z.array(offeredActionSchema).max(MAX_ACTIONS), more: count }),
    deadline: 10_000,
  }),
  /**
   * Writes nothing. @throws INVALID when a value does not fit, CONFLICT when the run is not in a state for it,
   * NOT_FOUND
   */
  'projects.preview': bridgeCommand({
    effect: 'reads',
    input: oneRun.extend({ request: editRequestSchema }),
    output: previewSchema,
    deadline: 60_000,
  }),
  /** Writes what was agreed on in the preview with this token, if it is still the same. */
  'projects.write': bridgeCommand({
    effect: 'edits',
    input: oneRun.extend({ request: editRequestSchema, token }),
    output: resultSchema,
    deadline: 30_000,
  }),
  /** Like `projects.write`, for changes that git takes part in: a native dialog first names them and the folder. */
  'projects.rollBack': mainCommand({
    input: oneRun.extend({ request: editRequestSchema, token }),
    output: resultSchema,
    deadline: 0,
  }),
  /** @throws CONFLICT with what is in the way: nothing is changed then. FORBIDDEN in a folder that is not trusted */
  'projects.writeWithGit': bridgeCommand({
    effect: 'edits',
    input: oneRun.extend({ request: editRequestSchema, token }),
    output: resultSchema,
    page: false,
    deadline: 600_000,
  }),
  'projects.edits': bridgeCommand({
    effect: 'reads',
    input: z.strictObject({ project: projectId, run: runKey.nullable() }),
    output: z.strictObject({ edits: z.array(editSchema).max(MAX_EDITS) }),
  }),
  'projects.undoable': bridgeCommand({
    effect: 'reads',
    input: z.strictObject({ project: projectId, edits: z.array(editId).max(MAX_EDITS) }),
    output: z.strictObject({ edits: z.array(editId).max(MAX_EDITS) }),
  }),
  /** Undoes at once; an edit in which git took part is first shown, then agreed to through `projects.rollBack`. */
  'projects.undo': bridgeCommand({
    effect: 'edits',
    input: z.strictObject({ project: projectId, edit: editId }),
    output: z.discriminatedUnion('outcome', [
      ...resultSchema.options,
      z.strictObject({ outcome: z.literal('git'), preview: previewSchema }),
    ]),
    deadline: 60_000,
  }),
  'projects.draft': bridgeCommand({
    effect: 'reads',
    input: draftOf,
    output: z.strictObject({ draft: draftSchema.nullable() }),
  }),
  /** @param values null removes the draft */
  'projects.keepDraft': bridgeCommand({
    effect: 'edits',
    input: draftOf.extend({ values: values.nullable() }),
    output: z.strictObject({}),
  }),
} as const

export const editsEvents = {
  'projects.overwritten': z.strictObject({
    project: projectId,
    run: runKey,
    edit: editId,
    summary: line,
    file: z.string().max(1000),
    at: z.number(),
    by: z.string().max(200).nullable(),
    /**
     * `dropped`: the file no longer has our edit. `raced`: our edit stands, and what another program wrote at the same
     * moment is lost.
     */
    kind: z.enum(['dropped', 'raced']),
  }),
  'projects.edited': z.strictObject({ project: projectId }),
} as const
