/** The labels of the program on a machine: the files they come from, and what they call its addresses. */
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
/** How many the window is sent at once. */
export const LABELS_PER_PAGE = 5_000

export const MAX_SOURCE_BYTES = 1024 * 1024
export const MAX_SOURCES = 1_000
export const MAX_SOURCE_CODE = 0x10000

/** A file of 16 MiB, read by a computer that is busy. */
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
  /** Without its folder. */
  name: z.string().max(300),
  /** Found beside the program that was run, or chosen by the person. */
  origin: z.enum(['program', 'person']),
  /** Such as `VICE labels`; null where it was not read. */
  format: z.string().max(100).nullable(),
  labels: count,
  /** Source lines. */
  lines: count,
  /** What could not be read, and what to do; null where all was. */
  problem: z.string().max(2000).nullable(),
})
export type LabelFileState = z.infer<typeof labelFileSchema>

const machineLabelsSchema = machine.extend({
  /** Of all files, each once. */
  labels: count,
  files: z.array(labelFileSchema).max(MAX_LABEL_FILES),
})
export type MachineLabels = z.infer<typeof machineLabelsSchema>

const placeSchema = z.strictObject({
  start: address,
  /** Inclusive. */
  end: address,
  /** The program's label that the start was given by. */
  label: z.string().max(600).nullable(),
  /** The source line that it was given by. */
  line: sourceLineSchema.nullable(),
})

const describedSchema = z.strictObject({
  /** `draw+3`, `VIC.BORDER`; null where it has no name. */
  name: z.string().max(600).nullable(),
  /** The name, and what it could be taken for and is not: `RAM under I/O`; null for neither. */
  called: z.string().max(700).nullable(),
  /** Whether a label of the program begins exactly here. */
  isLabel: z.boolean(),
  /** `main.s:14`; null where no debug file tells. */
  source: z.string().max(1100).nullable(),
})
export type DescribedAddress = z.infer<typeof describedSchema>

/** Of a line in a source file: some lines have several, those of a macro for one. The end is exclusive. */
const codeSchema = z.strictObject({ line: sourceLineNumber, start: address, end: z.int().min(1).max(0x10000) })
export type SourceCode = z.infer<typeof codeSchema>

const sourceTextSchema = z.strictObject({
  /** In full. */
  place: path,
  text: z.string().max(MAX_SOURCE_BYTES),
  /** By line, then by address. */
  code: z.array(codeSchema).max(MAX_SOURCE_CODE),
  /** Such as that it was changed after the build. */
  problem: z.string().max(2000).nullable(),
})

export const MAX_SEGMENTS = 1_000
const segmentSchema = z.strictObject({
  name: z.string().min(1).max(MAX_NAME_LENGTH),
  start: address,
  /** Exclusive. */
  end: z.int().min(1).max(0x10000),
  /** The debug file, without its folder. */
  file: z.string().max(300),
})

/** Expressions of one call. */
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
  /** Forgets one of the files, by its path, or all. */
  'labels.clear': bridgeCommand({
    effect: 'keeps',
    input: machine.extend({ file: path.nullable() }),
    output: machineLabelsSchema,
    deadline: READ_DEADLINE_MS,
  }),
  /** Shows a native file dialog, then calls `labels.load`; `file` is null when the user cancels. */
  'labels.choose': mainCommand({
    input: machine,
    output: z.strictObject({ file: labelFileSchema.nullable() }),
    deadline: 0,
  }),
  /** As `labels.load`, for a file that was dropped. */
  'labels.loadGranted': mainCommand({
    input: machine.extend({ grant: fileGrant }),
    output: labelFileSchema,
    deadline: READ_DEADLINE_MS,
  }),
  /** What expressions are now, with the labels of the program. */
  'labels.evaluate': bridgeCommand({
    effect: 'reads',
    input: machine.extend({
      expressions: z.array(z.string().min(1).max(MAX_EXPRESSION_LENGTH)).min(1).max(MAX_EVALUATED),
    }),
    output: z.strictObject({ time: z.number(), values: z.array(z.int()).max(MAX_EVALUATED) }),
    page: false,
    deadline: READ_DEADLINE_MS,
  }),
  /** Some of all labels, which are in the order of their names. */
  'labels.page': bridgeCommand({
    effect: 'reads',
    input: machine.extend({ from: count }),
    output: z.strictObject({ labels: z.array(programLabelSchema).max(LABELS_PER_PAGE) }),
    deadline: READ_DEADLINE_MS,
  }),
  /** Labels whose name has a text in it, those that begin with it first. */
  'labels.search': bridgeCommand({
    effect: 'reads',
    input: machine.extend({
      /** null for all. */
      text: z.string().min(1).max(600).regex(shown).nullable(),
      limit: z.int().min(1).max(MAX_LABELS_FOUND),
    }),
    output: z.strictObject({ labels: z.array(programLabelSchema).max(MAX_LABELS_FOUND) }),
    page: false,
    deadline: READ_DEADLINE_MS,
  }),
  /** An address or a range as it is written on the command line, with labels. @throws INVALID */
  'labels.resolve': bridgeCommand({
    effect: 'reads',
    input: machine.extend({ text: z.string().min(1).max(1300).regex(shown), range: z.boolean() }),
    output: placeSchema,
    page: false,
    deadline: READ_DEADLINE_MS,
  }),
  /** The source files that the program's debug files name, those that can be read first. */
  'labels.sources': bridgeCommand({
    effect: 'reads',
    input: machine,
    output: z.strictObject({ sources: z.array(sourceNameSchema.extend({ isFound: z.boolean() })).max(MAX_SOURCES) }),
    deadline: READ_DEADLINE_MS,
  }),
  /** What the linkers of the program placed where, as its debug files say. */
  'labels.segments': bridgeCommand({
    effect: 'reads',
    input: machine,
    output: z.strictObject({ segments: z.array(segmentSchema).max(MAX_SEGMENTS) }),
    deadline: READ_DEADLINE_MS,
  }),
  /** The source line that made the byte at an address; null where no debug file tells. */
  'labels.sourceAt': bridgeCommand({
    effect: 'reads',
    input: machine.extend({ address }),
    output: z.strictObject({ at: sourceLineSchema.nullable() }),
    deadline: READ_DEADLINE_MS,
  }),
  /** @throws NOT_FOUND, FORBIDDEN outside the debug file's folder and its repository, INVALID for what is no text */
  'labels.source': bridgeCommand({
    effect: 'reads',
    input: machine.extend(sourceNameSchema.shape),
    output: sourceTextSchema,
    deadline: READ_DEADLINE_MS,
  }),
  /** What addresses are called in the memories that they are in, in their order; see `locationOf`. */
  'labels.describe': bridgeCommand({
    effect: 'reads',
    input: machine.extend({ locations: z.array(z.int().min(0).max(MAX_LOCATION)).max(MAX_LABELS_FOUND) }),
    output: z.strictObject({ described: z.array(describedSchema).max(MAX_LABELS_FOUND) }),
    page: false,
    deadline: READ_DEADLINE_MS,
  }),
} as const

export const labelsEvents = {
  /** A file was loaded, cleared or read again. */
  'labels.changed': machine,
} as const
