/**
 * Recordings of frames of a machine, each made by a task and named by its id. Times are ms since 1970, with fractions.
 */
import { z } from 'zod'
import { MAX_EXPRESSION_LENGTH } from '../c64/expressions/parseExpression'
import { bridgeCommand, mainCommand } from './define'
import { machineNameSchema } from './machine'
import { address, bytesSchema, pictureSchema, registerSchema, spaces } from './memory'
import { savedOutput } from './savedFile'

export const recordingTime = z.number().min(0).max(8.64e15)
const time = recordingTime
const count = z.int().min(0)
const byte = z.int().min(0).max(255)
const space = z.enum(spaces)

/** Looked up in the bridge's own list; never made part of a path otherwise. */
export const recordingId = z
  .string()
  .min(1)
  .max(300)
  .regex(/^\P{Cc}+$/u)

const recordingSchema = z.strictObject({
  recording: recordingId,
  name: z.string().max(300),
  machine: z.string().max(200).nullable(),
  from: time.nullable(),
  to: time.nullable(),
  frames: count,
  bytes: count,
  open: z.boolean(),
  /** A pinned recording is never deleted to make room. */
  pinned: z.boolean(),
  problem: z.string().max(1000).nullable(),
})
export type RecordingSummary = z.infer<typeof recordingSchema>

/** A stretch that cannot be told any more, because the file is damaged there. */
const damageSchema = z.strictObject({ from: time, to: time, message: z.string().max(500) })
export type Damage = z.infer<typeof damageSchema>

export const MAX_DAMAGES = 100
const damages = z.array(damageSchema).max(MAX_DAMAGES)

/** From one connection to the next: everything known starts afresh. */
const epochSchema = z.strictObject({ epoch: count, machine: z.string().max(200), from: time })

const recordingInfoSchema = recordingSchema.extend({
  spaces: z.array(space).max(spaces.length),
  picture: z.boolean(),
  registers: z.boolean(),
  keyframes: count,
  missing: count,
  epochs: z.array(epochSchema).max(1000),
})
export type RecordingInfo = z.infer<typeof recordingInfoSchema>

const momentSchema = z.strictObject({
  time,
  next: time.nullable(),
  frame: count,
  epoch: count,
  /** Runs of known bytes; the others were never sampled. */
  segments: z.array(z.strictObject({ space, address, bytes: bytesSchema(0x10000) })).max(0x10000),
  registers: z.array(registerSchema).max(64),
  picture: pictureSchema.nullable(),
})
export type Moment = z.infer<typeof momentSchema>

export const conditions = ['equals', 'notEquals', 'above', 'below', 'changes'] as const

const conditionSchema = z.strictObject({
  is: z.enum(conditions),
  value: byte.optional(),
})
export type Condition = z.infer<typeof conditionSchema>

const span = { from: time.optional(), to: time.optional() }
const one = z.strictObject({ recording: recordingId })
const cell = one.extend({ space, address })
const changeSchema = z.strictObject({ time, frame: count, value: byte, before: byte.nullable() })
export type Change = z.infer<typeof changeSchema>

export const MAX_MARKS = 10_000
const markNumber = z
  .int()
  .min(1)
  .max(2 ** 31 - 1)
const markText = z
  .string()
  .min(1)
  .max(MAX_EXPRESSION_LENGTH)
  .regex(/^\P{Cc}+$/u)
/** Value of an expression: 32 bits, signed or unsigned. */
const markValue = z
  .int()
  .min(-(2 ** 31))
  .max(2 ** 32 - 1)
  .nullable()
export const markSchema = z.strictObject({
  mark: markNumber,
  time,
  text: markText,
  value: markValue,
})
export type Mark = z.infer<typeof markSchema>
const newMark = z.strictObject({ time: time.optional(), text: markText, value: markValue.default(null) })
export type NewMark = z.infer<typeof newMark>

const csvRows = ['changes', 'samples'] as const

export const exportFormats = ['csv', 'raw', 'png', 'apng', 'marks'] as const

const subject = z.union([z.literal('screen'), z.strictObject({ sprite: z.int().min(0).max(7) })])

const exportSchema = z.discriminatedUnion('format', [
  /** Lines of time, address, value. Changes begin with the values at the start of the span. */
  z.strictObject({
    format: z.literal('csv'),
    space,
    address,
    length: z.int().min(1).max(256),
    rows: z.enum(csvRows).exactOptional(),
    ...span,
  }),
  z.strictObject({ format: z.literal('raw'), space, address, length: z.int().min(1).max(0x10000), time }),
  z.strictObject({ format: z.literal('png'), subject, time }),
  /** Plays as it was recorded. `every`: one picture for so many frames. */
  z.strictObject({ format: z.literal('apng'), subject, ...span, every: z.int().min(1).max(1000) }),
  z.strictObject({ format: z.literal('marks'), ...span }),
])
export type ExportRequest = z.infer<typeof exportSchema>

const nothing = z.strictObject({})
const queryDeadline = 20_000

export const MAX_GAPS = 1_000

export const MAX_CHANGES = 10_000

export const recorderCommands = {
  'recorder.list': bridgeCommand({
    effect: 'reads',
    input: nothing,
    output: z.strictObject({ recordings: z.array(recordingSchema).max(5000) }),
    deadline: queryDeadline,
  }),
  'recorder.info': bridgeCommand({ effect: 'reads', input: one, output: recordingInfoSchema, deadline: queryDeadline }),
  /** Throws NOT_FOUND before the first frame, INVALID where the file is damaged at that moment. */
  'recorder.imageAt': bridgeCommand({
    effect: 'reads',
    input: one.extend({ time, spaces: z.array(space).max(spaces.length), picture: z.boolean() }),
    output: momentSchema,
  }),
  'recorder.changes': bridgeCommand({
    effect: 'reads',
    input: cell.extend({
      ...span,
      order: z.enum(['first', 'last']).default('first'),
      limit: z.int().min(1).max(MAX_CHANGES).default(1000),
    }),
    output: z.strictObject({ changes: z.array(changeSchema).max(MAX_CHANGES), total: count, damages }),
    deadline: queryDeadline,
  }),
  /**
   * An address over time as a line of steps. With more changes than `points`, each point stands for a stretch of time
   * with its lowest and highest value, and `exact` is false.
   */
  'recorder.values': bridgeCommand({
    effect: 'reads',
    input: cell.extend({ ...span, points: z.int().min(2).max(20_000) }),
    output: z.strictObject({
      /** `value` holds until the next point. */
      points: z.array(z.strictObject({ time, value: byte, low: byte, high: byte })).max(20_000),
      exact: z.boolean(),
      damages,
      gaps: z.array(z.strictObject({ from: time, to: time })).max(MAX_GAPS),
    }),
    deadline: queryDeadline,
  }),
  'recorder.mostChanged': bridgeCommand({
    effect: 'reads',
    input: one.extend({ space, limit: z.int().min(1).max(100) }),
    output: z.strictObject({
      bytes: z.array(z.strictObject({ address, changes: z.int().min(1) })).max(100),
      damages,
    }),
    deadline: queryDeadline,
  }),
  'recorder.firstWhen': bridgeCommand({
    effect: 'reads',
    input: cell.extend({ ...span, condition: conditionSchema }),
    output: z.strictObject({ found: changeSchema.nullable(), damages }),
    deadline: queryDeadline,
  }),
  'recorder.difference': bridgeCommand({
    effect: 'reads',
    input: one.extend({ space, times: z.tuple([time, time]) }),
    output: z.strictObject({
      ranges: z
        .array(z.strictObject({ address, before: bytesSchema(0x10000), after: bytesSchema(0x10000) }))
        .max(0x10000),
      unknown: z.array(z.strictObject({ address, length: z.int().min(1).max(0x10000) })).max(0x10000),
    }),
  }),
  'recorder.marks': bridgeCommand({
    effect: 'reads',
    input: one,
    output: z.strictObject({ marks: z.array(markSchema).max(MAX_MARKS) }),
    deadline: queryDeadline,
  }),
  /** Throws NOT_FOUND outside of the recorded time. */
  'recorder.addMark': bridgeCommand({ effect: 'keeps', input: one.extend(newMark.shape), output: markSchema }),
  'recorder.markMachine': bridgeCommand({
    effect: 'keeps',
    input: newMark.extend({ machine: machineNameSchema }),
    output: z.strictObject({ recordings: z.array(recordingId).max(100) }),
  }),
  'recorder.deleteMark': bridgeCommand({ effect: 'keeps', input: one.extend({ mark: markNumber }), output: nothing }),
  'recorder.pin': bridgeCommand({ effect: 'keeps', input: one.extend({ pinned: z.boolean() }), output: nothing }),
  'recorder.exportTo': bridgeCommand({
    effect: 'reads',
    input: one.extend({ path: z.string().min(1).max(4096), request: exportSchema }),
    output: z.strictObject({ bytes: count, damages }),
    page: false,
    deadline: 600_000,
  }),
  'recorder.export': mainCommand({
    input: one.extend({ request: exportSchema }),
    output: savedOutput.extend({ damages }),
    deadline: 0,
  }),
} as const

export const recorderEvents = {
  'recorder.exported': one.extend({ percent: z.int().min(0).max(100) }),
  'recorder.marked': one,
} as const
