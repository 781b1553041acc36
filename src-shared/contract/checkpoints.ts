import { z } from 'zod'
import { MAX_LOG_MESSAGE_LENGTH } from '../c64/expressions/logMessage'
import { MAX_EXPRESSION_LENGTH } from '../c64/expressions/parseExpression'
import { sourceLineSchema } from './sourceLine'

export const MAX_FROM_HIT = 1_000_000
export const MAX_LOGGED_LINES = 1_000
export const MAX_LINE = 1_000_000_000
/** A message of values only, each with all of its 32 bits. */
const MAX_LOGGED_LENGTH = 3_000

export const checkpointNumber = z.int().min(0).max(0xffff_ffff)
const address = z.int().min(0).max(0xffff)
const operation = z.enum(['load', 'store', 'exec'])

export const checkpointStopSchema = z.strictObject({
  checkpoint: checkpointNumber,
  /** ms since 1970 */
  time: z.number(),
  pc: address,
  /** What was accessed, the end included; the checkpoint's whole range where the machine does not tell more. */
  start: address,
  end: address,
  operation: operation.nullable(),
  /** The instruction that read or wrote; null where none did, or it is not known for certain. */
  by: z.strictObject({ address, text: z.string().max(40) }).nullable(),
  condition: z.string().max(255).nullable(),
  hit: z.int().min(1).nullable(),
  /** LORAM, HIRAM and CHAREN at the stop; null where they are not known. */
  pins: z.int().min(0).max(7).nullable(),
})
export type CheckpointStop = z.infer<typeof checkpointStopSchema>

const checkpointSchema = z.strictObject({
  number: checkpointNumber,
  start: address,
  end: address,
  operations: z.array(operation).min(1).max(3),
  stop: z.boolean(),
  enabled: z.boolean(),
  temporary: z.boolean(),
  hits: z.int().min(0),
  condition: z.string().max(MAX_EXPRESSION_LENGTH).nullable(),
  /** The hit from which on it stops or logs; 1 for each. */
  fromHit: z.int().min(1).max(MAX_FROM_HIT),
  log: z
    .string()
    .max(MAX_LOG_MESSAGE_LENGTH)
    .regex(/^\P{Cc}*$/u)
    .nullable(),
})
export type Checkpoint = z.infer<typeof checkpointSchema>

export const loggedSchema = z.strictObject({
  line: z.int().min(1),
  checkpoint: checkpointNumber,
  pc: address,
  /** Cycles since the machine was made; null where the machine does not tell. */
  clock: z.number().min(0).nullable(),
  text: z.string().max(MAX_LOGGED_LENGTH),
})
export type Logged = z.infer<typeof loggedSchema>

export const labelledCheckpointSchema = checkpointSchema.extend({
  /** The label that it follows when the program is rebuilt; null where it stays at its address. */
  label: z.string().max(600).nullable(),
  /** The source line that it follows, as the debug file names it; null for none. */
  line: sourceLineSchema.nullable(),
  unbound: z.string().max(300).nullable(),
  enabledAgain: z.boolean().nullable(),
})
export type LabelledCheckpoint = z.infer<typeof labelledCheckpointSchema>
export const newCheckpointSchema = labelledCheckpointSchema.omit({
  number: true,
  hits: true,
  unbound: true,
  enabledAgain: true,
})
export type NewCheckpoint = z.infer<typeof newCheckpointSchema>
/** A checkpoint that logs does not stop. */
export const checkpointChangesSchema = checkpointSchema.pick({ condition: true, fromHit: true, log: true })
export type CheckpointChanges = z.infer<typeof checkpointChangesSchema>
export type Binding = Pick<LabelledCheckpoint, 'label' | 'line' | 'unbound' | 'enabledAgain'>
export type CheckpointLine = NonNullable<LabelledCheckpoint['line']>
