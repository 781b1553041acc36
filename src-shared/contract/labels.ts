import { z } from 'zod'
import { MAX_LOCATION } from '../c64/banking'
import { MAX_EXPRESSION_LENGTH } from '../c64/expressions/parseExpression'
import { labelKinds, MAX_NAME_LENGTH, MAX_SCOPE_LENGTH } from '../c64/labels/programLabel'
import { bridgeCommand, mainCommand } from './define'
import { fileGrant, machineNameSchema } from './machine'
import {
  shownPath as path,
  shownText as shown,
  sourceLineNumber,
  sourceLineSchema,
  sourceNameSchema,
} from './sourceLine'

export const MAX_LABEL_FILES = 20
export const MAX_LABELS_FOUND = 1_000
export const LABELS_PER_PAGE = 5_000

export const MAX_SOURCE_BYTES = 1024 * 1024
export const MAX_SOURCES = 1_000
export const MAX_SOURCE_CODE = 0x10000

const READ_DEADLINE_MS = 30_000

const machine = z.strictObject({ machine: machineNameSchema })
const address = z.int().min(0).max(0xffff)
const count = z.int().min(0).max(10_000_000)

const programLabelSchema = z.strictObject({
  name: z.string().min(1).max(MAX_NAME_LENGTH),
  scope: z.string().min(1).max(MAX_SCOPE_LENGTH).nullable(),
  address,
  size: z.int().min(1).max(0x10000).nullable(),
  kind: z.enum(labelKinds),
})

const labelFileSchema = z.strictObject({
  path,
  name: z.string().max(300),
  origin: z.enum(['program', 'person']),
  format: z.string().max(100).nullable(),
  labels: count,
  lines: count,
  problem: z.string().max(2000).nullable(),
})
export type LabelFileState = z.infer<typeof labelFileSchema>

const machineLabelsSchema = machine.extend({
  labels: count,
  files: z.array(labelFileSchema).max(MAX_LABEL_FILES),
})
export type MachineLabels = z.infer<typeof machineLabelsSchema>

const placeSchema = z.strictObject({
  start: address,
  /** Inclusive. */
  end: address,
  label: z.string().max(600).nullable(),
  line: sourceLineSchema.nullable(),
})

const describedSchema = z.strictObject({
  name: z.string().max(600).nullable(),
  called: z.string().max(700).nullable(),
  isLabel: z.boolean(),
  source: z.string().max(1100).nullable(),
})
export type DescribedAddress = z.infer<typeof describedSchema>

/** Code of a source line: some lines have several pieces, for example with a macro. The end is exclusive. */
const codeSchema = z.strictObject({ line: sourceLineNumber, start: address, end: z.int().min(1).max(0x10000) })
export type SourceCode = z.infer<typeof codeSchema>

const sourceTextSchema = z.strictObject({
  place: path,
  text: z.string().max(MAX_SOURCE_BYTES),
  code: z.array(codeSchema).max(MAX_SOURCE_CODE),
  problem: z.string().max(2000).nullable(),
})

export const MAX_SEGMENTS = 1_000
const segmentSchema = z.strictObject({
  name: z.string().min(1).max(MAX_NAME_LENGTH),
  start: address,
  /** Exclusive. */
  end: z.int().min(1).max(0x10000),
  file: z.string().max(300),
})

export const MAX_EVALUATED = 20

export const labelsCommands = {
  'labels.files': bridgeCommand({
    effect: 'reads',
    input: machine,
    output: machineLabelsSchema,
    deadline: READ_DEADLINE_MS,
  }),
  'labels.load': bridgeCommand({
    effect: 'keeps',
    input: machine.extend({ path }),
    output: labelFileSchema,
    page: false,
    deadline: READ_DEADLINE_MS,
  }),
  'labels.clear': bridgeCommand({
    effect: 'keeps',
    input: machine.extend({ file: path.nullable() }),
    output: machineLabelsSchema,
    deadline: READ_DEADLINE_MS,
  }),
  'labels.choose': mainCommand({
    input: machine,
    output: z.strictObject({ file: labelFileSchema.nullable() }),
    deadline: 0,
  }),
  'labels.loadGranted': mainCommand({
    input: machine.extend({ grant: fileGrant }),
    output: labelFileSchema,
    deadline: READ_DEADLINE_MS,
  }),
  'labels.evaluate': bridgeCommand({
    effect: 'reads',
    input: machine.extend({
      expressions: z.array(z.string().min(1).max(MAX_EXPRESSION_LENGTH)).min(1).max(MAX_EVALUATED),
    }),
    output: z.strictObject({ time: z.number(), values: z.array(z.int()).max(MAX_EVALUATED) }),
    page: false,
    deadline: READ_DEADLINE_MS,
  }),
  'labels.page': bridgeCommand({
    effect: 'reads',
    input: machine.extend({ from: count }),
    output: z.strictObject({ labels: z.array(programLabelSchema).max(LABELS_PER_PAGE) }),
    deadline: READ_DEADLINE_MS,
  }),
  'labels.search': bridgeCommand({
    effect: 'reads',
    input: machine.extend({
      text: z.string().min(1).max(600).regex(shown).nullable(),
      limit: z.int().min(1).max(MAX_LABELS_FOUND),
    }),
    output: z.strictObject({ labels: z.array(programLabelSchema).max(MAX_LABELS_FOUND) }),
    page: false,
    deadline: READ_DEADLINE_MS,
  }),
  /** An address or a range as written on the command line, with labels. @throws INVALID */
  'labels.resolve': bridgeCommand({
    effect: 'reads',
    input: machine.extend({ text: z.string().min(1).max(1300).regex(shown), range: z.boolean() }),
    output: placeSchema,
    page: false,
    deadline: READ_DEADLINE_MS,
  }),
  'labels.sources': bridgeCommand({
    effect: 'reads',
    input: machine,
    output: z.strictObject({ sources: z.array(sourceNameSchema.extend({ isFound: z.boolean() })).max(MAX_SOURCES) }),
    deadline: READ_DEADLINE_MS,
  }),
  'labels.segments': bridgeCommand({
    effect: 'reads',
    input: machine,
    output: z.strictObject({ segments: z.array(segmentSchema).max(MAX_SEGMENTS) }),
    deadline: READ_DEADLINE_MS,
  }),
  'labels.sourceAt': bridgeCommand({
    effect: 'reads',
    input: machine.extend({ address }),
    output: z.strictObject({ at: sourceLineSchema.nullable() }),
    deadline: READ_DEADLINE_MS,
  }),
  /** @throws NOT_FOUND, FORBIDDEN outside the debug file's folder and its repository, INVALID for what is not text */
  'labels.source': bridgeCommand({
    effect: 'reads',
    input: machine.extend(sourceNameSchema.shape),
    output: sourceTextSchema,
    deadline: READ_DEADLINE_MS,
  }),
  'labels.describe': bridgeCommand({
    effect: 'reads',
    input: machine.extend({ locations: z.array(z.int().min(0).max(MAX_LOCATION)).max(MAX_LABELS_FOUND) }),
    output: z.strictObject({ described: z.array(describedSchema).max(MAX_LABELS_FOUND) }),
    page: false,
    deadline: READ_DEADLINE_MS,
  }),
} as const

export const labelsEvents = {
  'labels.changed': machine,
} as const
