/** Going back in a machine’s own time, and who wrote, read and ran a byte. Clocks are cycles since the machine was made. */
import { z } from 'zod'
import { accessSpaces } from '../c64/banking'
import { bridgeCommand } from './define'
import { machineNameSchema } from './machine'

/** Searching ten minutes of the machine’s time. */
const SEARCH_DEADLINE_MS = 60_000

/** Far more than is kept. */
const MAX_CYCLES_BACK = 100_000_000_000

const clock = z.number().min(0)
const byte = z.int().min(0).max(255)
const address = z.int().min(0).max(0xffff)
/** In which of the memories at an address. */
const space = z.enum(accessSpaces)
const nothing = z.strictObject({})
const machine = z.strictObject({ machine: machineNameSchema })

/** `call`: an instruction, or a whole call or interrupt that has just returned. */
export const backUnits = ['instruction', 'call', 'line', 'frame'] as const
export type BackUnit = (typeof backUnits)[number]

/** What sets a byte in the place of an instruction: a person or a task, a program loaded, text typed, a reset. */
export const outsideCauses = ['write', 'load', 'typing', 'reset'] as const
export type OutsideCause = (typeof outsideCauses)[number]

const byteAccessSchema = z.strictObject({
  clock,
  /** The instruction; null where an interrupt was taken, or where there is a cause. */
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

/** Its last write, and how often it wrote the byte. */
const byteWriterSchema = byteWriteSchema.extend({ count: z.int().min(1) })
export type ByteWriter = z.infer<typeof byteWriterSchema>

export const MAX_WRITERS = 20

const byteHistorySchema = z.strictObject({
  /** The moment that is asked about. */
  clock,
  /** Cycles per second. */
  clockRate: z.number().positive(),
  /** What the CPU reads there now: of this are `lastRead` and `lastRun`. */
  seen: space,
  /** What it writes there now, RAM under a ROM: of this are `lastWrite` and `changes`. */
  written: space,
  lastWrite: byteWriteSchema.nullable(),
  lastRead: byteAccessSchema.nullable(),
  /** When the byte was last run as the first of an instruction, since it was loaded. */
  lastRun: clock.nullable(),
  /** The last writes that changed the byte, newest first. */
  changes: z.array(byteWriteSchema).max(20),
  /** How far back changes were searched. */
  since: clock,
  /** Each instruction that wrote the byte, newest first, and each cause from outside. */
  writers: z.array(byteWriterSchema).max(MAX_WRITERS),
  /** How far back all writers are known. Up to half a minute before the first question is searched, a part at each question. */
  writersSince: clock,
  /** Whether the next question knows more of them. */
  isSearching: z.boolean(),
})
export type ByteHistory = z.infer<typeof byteHistorySchema>

/** So many of the newest are told. */
export const MAX_PAST_INPUTS = 1_000

const pastInputsSchema = z.strictObject({
  /** Where the machine stands. */
  clock,
  /** Cycles per second. */
  clockRate: z.number().positive(),
  /** Where the time that is kept begins. */
  start: clock,
  /** Oldest first. */
  inputs: z.array(z.strictObject({ clock, text: z.string().max(500) })).max(MAX_PAST_INPUTS),
  /** Older ones that are not told. */
  more: z.int().min(0),
})
export type PastInputs = z.infer<typeof pastInputsSchema>

/** Each but the last two leaves the machine standing. */
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
  /** To the last time before now that a checkpoint stopped the machine, or would have. */
  'timeTravel.toCheckpoint': bridgeCommand({
    effect: 'runs',
    input: machine,
    output: nothing,
    deadline: SEARCH_DEADLINE_MS,
  }),
  /** To the instruction that wrote what the byte holds now. */
  'timeTravel.toWrite': bridgeCommand({
    effect: 'runs',
    input: machine.extend({ address }),
    output: nothing,
    deadline: SEARCH_DEADLINE_MS,
  }),
  /** Takes back a change of the past: the future that it left is the future again. */
  'timeTravel.toLeftFuture': bridgeCommand({ effect: 'runs', input: machine, output: nothing }),
  'timeTravel.byteHistory': bridgeCommand({
    effect: 'reads',
    input: machine.extend({ address }),
    output: byteHistorySchema,
  }),
  /** What came from outside, such as keys, writes and programs, before where the machine stands. */
  'timeTravel.inputs': bridgeCommand({ effect: 'reads', input: machine, output: pastInputsSchema }),
} as const
