/** What stops a machine, or makes it log: checkpoints. */
import { z } from 'zod'
import { MAX_LOG_MESSAGE_LENGTH } from '../c64/expressions/logMessage'
import { MAX_EXPRESSION_LENGTH } from '../c64/expressions/parseExpression'
import { sourceLineSchema } from './sourceLine'

export const MAX_FROM_HIT = 1_000_000
/** As many lines as a machine keeps. */
export const MAX_LOGGED_LINES = 1_000
export const MAX_LINE = 1_000_000_000
/** A message of values only, each with all of its 32 bits. */
const MAX_LOGGED_LENGTH = 3_000

/** VICE's checkpoint numbers have 32 bits. */
export const checkpointNumber = z.int().min(0).max(0xffff_ffff)
const address = z.int().min(0).max(0xffff)
const operation = z.enum(['load', 'store', 'exec'])

/** What a checkpoint stopped the machine for. */
export const checkpointStopSchema = z.strictObject({
  checkpoint: checkpointNumber,
  /** When it stopped, ms since 1970. */
  time: z.number(),
  /** The instruction that runs next. */
  pc: address,
  /** What was come upon, the end included; the checkpoint's whole range where the machine does not tell more. */
  start: address,
  end: address,
  /** Null where the machine does not tell which of the checkpoint's accesses it was. */
  operation: operation.nullable(),
  /** The instruction that read or wrote; null where none did, and where it is not known for certain. */
  by: z.strictObject({ address, text: z.string().max(40) }).nullable(),
  /** What had to be true, as it was written; null where nothing had to. */
  condition: z.string().max(255).nullable(),
  /** Which hit it was; null where the first one stops. */
  hit: z.int().min(1).nullable(),
  /** LORAM, HIRAM and CHAREN then: what stood where. Null where that is not known. */
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
  /** An expression that must be true: `A == $05 and @$d020 != 0`. */
  condition: z.string().max(MAX_EXPRESSION_LENGTH).nullable(),
  /** The hit from which on it stops or logs; 1 for each. */
  fromHit: z.int().min(1).max(MAX_FROM_HIT),
  /** What it logs, with expressions in braces: `X is {X}`. */
  log: z
    .string()
    .max(MAX_LOG_MESSAGE_LENGTH)
    .regex(/^\P{Cc}*$/u)
    .nullable(),
})
export type Checkpoint = z.infer<typeof checkpointSchema>

/** One line that a checkpoint logged. */
export const loggedSchema = z.strictObject({
  /** Counts all lines of this machine, from 1. */
  line: z.int().min(1),
  checkpoint: checkpointNumber,
  /** The instruction that runs next. */
  pc: address,
  /** The cycle since the machine was made; null where the machine does not tell it. */
  clock: z.number().min(0).nullable(),
  text: z.string().max(MAX_LOGGED_LENGTH),
})
export type Logged = z.infer<typeof loggedSchema>

export const labelledCheckpointSchema = checkpointSchema.extend({
  /** The program's label that it follows when the program is rebuilt; null where it stays at its address. */
  label: z.string().max(600).nullable(),
  /** The source line that it follows, by the debug file that names the source; null for none. */
  line: sourceLineSchema.nullable(),
  /** Why it stands nowhere, disabled, until a rebuild has its line again; null where it stands. */
  unbound: z.string().max(300).nullable(),
  /** Whether a rebuild that has its line enables it; null where it stands. */
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
/** What is changed in place; a checkpoint that logs does not stop. */
export const checkpointChangesSchema = checkpointSchema.pick({ condition: true, fromHit: true, log: true })
export type CheckpointChanges = z.infer<typeof checkpointChangesSchema>
/** What a checkpoint follows. */
export type Binding = Pick<LabelledCheckpoint, 'label' | 'line' | 'unbound' | 'enabledAgain'>
export type CheckpointLine = NonNullable<LabelledCheckpoint['line']>
