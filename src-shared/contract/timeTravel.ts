/**
 * Moving a machine back in its own time, and who wrote, read and ran a byte. Clocks are cycles since the machine was
 * made.
 */
import { z } from 'zod'
import { accessSpaces } from '../c64/banking'
import { bridgeCommand } from './define'
import { machineNameSchema } from './machine'

const SEARCH_DEADLINE_MS = 60_000

const MAX_CYCLES_BACK = 100_000_000_000

const clock = z.number().min(0)
const byte = z.int().min(0).max(255)
const address = z.int().min(0).max(0xffff)
const space = z.enum(accessSpaces)
const nothing = z.strictObject({})
const machine = z.strictObject({ machine: machineNameSchema })

/** `call`: an instruction, or a whole call or interrupt that has just returned. */
export const backUnits = ['instruction', 'call', 'line', 'frame'] as const
export type BackUnit = (typeof backUnits)[number]

export const outsideCauses = ['write', 'load', 'typing', 'reset'] as const
export type OutsideCause = (typeof outsideCauses)[number]

const byteAccessSchema = z.strictObject({
  clock,
  /** Null where an interrupt was taken, or where there is a cause. */
  by: z.strictObject({ address, space, text: z.string().max(40) }).nullable(),
  cause: z.enum(outsideCauses).nullable(),
})
export type ByteAccess = z.infer<typeof byteAccessSchema>

const byteWriteSchema = byteAccessSchema.extend({
  /** Null for a chip’s register that nothing had written before. */
  from: byte.nullable(),
  to: byte,
})
export type ByteWrite = z.infer<typeof byteWriteSchema>

const byteWriterSchema = byteWriteSchema.extend({ count: z.int().min(1) })
export type ByteWriter = z.infer<typeof byteWriterSchema>

export const MAX_WRITERS = 20

const byteHistorySchema = z.strictObject({
  clock,
  /** Cycles per second. */
  clockRate: z.number().positive(),
  /** What the CPU reads there now: `lastRead` and `lastRun` are about this memory. */
  seen: space,
  /** What the CPU writes there now, RAM under a ROM: `lastWrite` and `changes` are about this memory. */
  written: space,
  lastWrite: byteWriteSchema.nullable(),
  lastRead: byteAccessSchema.nullable(),
  lastRun: clock.nullable(),
  changes: z.array(byteWriteSchema).max(20),
  since: clock,
  writers: z.array(byteWriterSchema).max(MAX_WRITERS),
  /**
   * How far back all writers are known. Each question searches a further part of up to half a minute before the first
   * question.
   */
  writersSince: clock,
  isSearching: z.boolean(),
})
export type ByteHistory = z.infer<typeof byteHistorySchema>

export const MAX_PAST_INPUTS = 1_000

const pastInputsSchema = z.strictObject({
  clock,
  /** Cycles per second. */
  clockRate: z.number().positive(),
  start: clock,
  inputs: z.array(z.strictObject({ clock, text: z.string().max(500) })).max(MAX_PAST_INPUTS),
  more: z.int().min(0),
})
export type PastInputs = z.infer<typeof pastInputsSchema>

/** All but the last two leave the machine paused. */
export const timeTravelCommands = {
  /** To so many cycles before the end of the time that is kept, or as far back as is kept. */
  'timeTravel.goTo': bridgeCommand({
    effect: 'runs',
    input: machine.extend({ beforeEnd: z.int().min(0).max(MAX_CYCLES_BACK) }),
    output: nothing,
  }),
  'timeTravel.back': bridgeCommand({
    effect: 'runs',
    input: machine.extend({ unit: z.enum(backUnits), count: z.int().min(1).max(65_535) }),
    output: nothing,
  }),
  'timeTravel.toCheckpoint': bridgeCommand({
    effect: 'runs',
    input: machine,
    output: nothing,
    deadline: SEARCH_DEADLINE_MS,
  }),
  'timeTravel.toWrite': bridgeCommand({
    effect: 'runs',
    input: machine.extend({ address }),
    output: nothing,
    deadline: SEARCH_DEADLINE_MS,
  }),
  'timeTravel.toLeftFuture': bridgeCommand({ effect: 'runs', input: machine, output: nothing }),
  'timeTravel.byteHistory': bridgeCommand({
    effect: 'reads',
    input: machine.extend({ address }),
    output: byteHistorySchema,
  }),
  'timeTravel.inputs': bridgeCommand({ effect: 'reads', input: machine, output: pastInputsSchema }),
} as const
