import { z } from 'zod'
import { accessSpaces, MAX_LOCATION } from '../c64/banking'
import { frameKinds } from '../c64/profile/callTree'
import { MAX_INTERRUPT_SPANS } from '../c64/profile/interruptTimeline'
import { bridgeCommand } from './define'
import { checkpointStopSchema } from './checkpoints'
import { executionStates, machineNameSchema, slowMotionSchema } from './machine'
import { bytesSchema } from './memory'
import { rasterFrameSchema } from './rasterFrame'
import { videoFrameSchema } from './videoFrame'

const machine = z.strictObject({ machine: machineNameSchema })
const nothing = z.strictObject({})

/** The next raster line, frame, first instruction after an IRQ or an NMI is taken, or after the running routine. */
export const nextMoments = ['line', 'frame', 'irq', 'nmi', 'return'] as const

/** An address, before the instruction there; or what comes next. */
const runTargetSchema = z.union([z.int().min(0).max(0xffff), z.enum(nextMoments)])
export type RunTarget = z.infer<typeof runTargetSchema>

export const MAX_FOLLOWED_FRAMES = 3_000
export const TRACED_AT_ONCE = 5_000

const address = z.int().min(0).max(0xffff)

/** 64 KiB and the header of a P00. */
export const MAX_PRG_BYTES = 0x10000 + 64

export const MAX_OUTCOME_SECONDS = 3_600
export const MAX_OUTCOME_FRAMES = 1_000_000

const awaitedSchema = z.union([
  z.enum(['now', 'typed', 'prompt', 'stop']),
  z.strictObject({ frames: z.int().min(0).max(MAX_OUTCOME_FRAMES) }),
  z.strictObject({ text: z.string().min(1).max(1_000) }),
])
export type Awaited = z.infer<typeof awaitedSchema>

/** `come`: what was awaited; `stopped`: the machine stopped before; `late`: it did not come in time. */
const outcomeEnds = ['come', 'stopped', 'late'] as const

const outcomeSchema = z.strictObject({
  ended: z.enum(outcomeEnds),
  execution: z.enum(executionStates),
  stop: checkpointStopSchema.nullable(),
  reason: z.string().max(1000).nullable(),
  pc: address.nullable(),
  rows: z.array(z.string().max(80)).length(25).nullable(),
  error: z.string().max(80).nullable(),
})
export type Outcome = z.infer<typeof outcomeSchema>
const location = z.int().min(0).max(MAX_LOCATION)
const callNodeSchema = z.strictObject({
  parent: z.int().min(0).nullable(),
  kind: z.enum(frameKinds),
  entry: location.nullable(),
  from: location.nullable(),
  calls: z.int().min(0),
  cycles: z.array(z.int().min(0)),
})

const profileSchema = z.strictObject({
  cycles: z.int().min(0),
  cyclesPerFrame: z.int().min(1),
  isCut: z.boolean(),
  nodes: z.array(callNodeSchema),
})
export type Profile = z.infer<typeof profileSchema>

const byte = z.int().min(0).max(0xff)
/** The machine before the instruction, or before the interrupt is taken. */
const tracedSchema = z.strictObject({
  /** Cycles since the machine was made; null where it does not tell. */
  clock: z.int().min(0).nullable(),
  pc: address,
  bytes: z.array(byte).max(3),
  /** `either` where both share a vector, and the machine does not tell more. */
  interrupt: z.enum(['irq', 'nmi', 'either']).nullable(),
  a: byte,
  x: byte,
  y: byte,
  sp: byte,
  flags: byte,
  pins: z.int().min(0).max(7),
  line: z.int().min(0).max(0x1ff).nullable(),
  lineCycle: byte.nullable(),
})
export type Traced = z.infer<typeof tracedSchema>

const traceSchema = z.strictObject({
  traced: z.array(tracedSchema).max(TRACED_AT_ONCE),
  cycles: z.int().min(0),
  cyclesPerFrame: z.int().min(1),
  stoppedBy: z.enum(['checkpoint', 'jam']).nullable(),
  limit: z.int().min(1).nullable(),
})
export type Trace = z.infer<typeof traceSchema>

export const MAX_INTERRUPT_FRAMES = 50

const cycles = z.int().min(0)
const interruptsSchema = z.strictObject({
  /** Cycles from the first line of the first frame on; fewer than asked for where the machine stopped before. */
  cycles,
  cyclesPerLine: z.int().min(1),
  linesPerFrame: z.int().min(1),
  isCut: z.boolean(),
  spans: z
    .array(
      z.strictObject({
        kind: z.enum(['irq', 'nmi']),
        entry: location,
        handler: location,
        start: cycles,
        end: cycles.nullable(),
        cycles,
        depth: z.int().min(0),
        waited: cycles.nullable(),
      }),
    )
    .max(MAX_INTERRUPT_SPANS),
})
export type Interrupts = z.infer<typeof interruptsSchema>

export const MAX_NOTED_BYTES = 8
export const MAX_NOTED_WRITES = 20

const time = z.number().min(0)
const notedWriteSchema = z.strictObject({
  time,
  by: z.strictObject({ address, space: z.enum(accessSpaces).nullable(), text: z.string().max(40) }).nullable(),
  cause: z.enum(['instruction', 'interrupt', 'dma']).nullable(),
  /** CPU cycles since the bus was first watched; null where not known. */
  cycle: z.int().min(0).nullable(),
  target: z.enum(['ram', 'io', 'port', 'cartridge', 'nothing']).nullable(),
  from: byte.nullable(),
  to: byte,
})
export type NotedWrite = z.infer<typeof notedWriteSchema>

const notedByteSchema = z.strictObject({
  address,
  since: time,
  /**
   * A checkpoint sees every write and slows the machine; the bus sees every write whose packet arrives; samples see a
   * byte that changed between two of them.
   */
  by: z.enum(['checkpoint', 'bus', 'samples']),
  reason: z.string().max(500).nullable(),
  /** Packets of the bus that were lost since; null for other sources. */
  lost: z.int().min(0).nullable(),
  count: z.int().min(0),
  writes: z.array(notedWriteSchema).max(MAX_NOTED_WRITES),
})
export type NotedByte = z.infer<typeof notedByteSchema>

const noteInput = machine.extend({ address })

const bitmap = bytesSchema(0x10000 / 8)
const touchedInSchema = z.strictObject({ runs: bitmap, reads: bitmap, writes: bitmap })
export type TouchedIn = z.infer<typeof touchedInSchema>
/** Bitmaps of 64 KiB, like those of a frame: of each memory that the CPU reaches, and of what it sees now. */
const touchedSchema = z.strictObject({
  ram: touchedInSchema,
  rom: touchedInSchema,
  io: touchedInSchema,
  cpu: touchedInSchema,
})
export type Touched = z.infer<typeof touchedSchema>

export const MAX_LOADED_PROGRAMS = 20
const loadedProgramSchema = z.strictObject({
  name: z.string().max(300),
  start: address,
  bytes: bytesSchema(0x10000),
})

export const runningCommands = {
  /**
   * Runs at least one instruction, and pauses at the target. Answers as soon as the machine runs, as it may never get
   * there.
   */
  'running.to': bridgeCommand({
    effect: 'runs',
    input: machine.extend({ to: runTargetSchema }),
    output: nothing,
    deadline: 10_000,
  }),
  'running.outcome': bridgeCommand({
    effect: 'reads',
    input: machine.extend({ awaits: awaitedSchema, seconds: z.number().min(0).max(MAX_OUTCOME_SECONDS) }),
    output: outcomeSchema,
    deadline: 0,
  }),
  /**
   * Checks whether the machine would run a program file loaded at another address than its own.
   * @throws UNSUPPORTED with what to do instead
   */
  'running.requireRunnable': bridgeCommand({
    effect: 'reads',
    input: machine.extend({
      title: z
        .string()
        .min(1)
        .max(300)
        .regex(/^\P{Cc}+$/u),
      bytes: bytesSchema(MAX_PRG_BYTES),
      at: address.optional(),
    }),
    output: nothing,
    page: false,
  }),
  /**
   * Lasts until it is paused or resumed, or a checkpoint stops it. @throws BUSY while it runs to somewhere or is
   * profiled
   */
  'running.slowly': bridgeCommand({
    effect: 'runs',
    input: machine.extend(slowMotionSchema.shape),
    output: nothing,
    deadline: 10_000,
  }),
  /**
   * Follows the machine for some frames, or until it stops. A paused machine runs for them and is paused again.
   * @throws BUSY while it runs to somewhere or is profiled
   */
  'running.profile': bridgeCommand({
    effect: 'follows',
    input: machine.extend({ frames: z.int().min(1).max(MAX_FOLLOWED_FRAMES) }),
    output: profileSchema,
    deadline: 0,
  }),
  'running.interrupts': bridgeCommand({
    effect: 'follows',
    input: machine.extend({ frames: z.int().min(1).max(MAX_INTERRUPT_FRAMES) }),
    output: interruptsSchema,
    deadline: 0,
  }),
  /** The next whole frame. Otherwise as `running.profile`. @throws CONFLICT where the machine stops before its end */
  'running.videoFrame': bridgeCommand({ effect: 'follows', input: machine, output: videoFrameSchema, deadline: 0 }),
  'running.rasterFrame': bridgeCommand({ effect: 'follows', input: machine, output: rasterFrameSchema, deadline: 0 }),
  /**
   * Executes instructions and pauses the machine; stops earlier where that takes long. `frames` limits the time, and
   * may be a fraction.
   */
  'running.trace': bridgeCommand({
    effect: 'runs',
    input: machine.extend({
      count: z.int().min(1).max(TRACED_AT_ONCE),
      frames: z.number().min(0).max(MAX_FOLLOWED_FRAMES).nullable(),
    }),
    output: traceSchema,
    page: false,
    deadline: 10_000,
  }),
  /**
   * Notes who writes a byte until the machine is disconnected, for machines that cannot tell it afterwards.
   * @throws CONFLICT at the limit of noted bytes, UNSUPPORTED where the machine knows it anyway, BUSY where a stream is
   * in the way
   */
  'running.noteWrites': bridgeCommand({ effect: 'writes', input: noteInput, output: nothing, deadline: 10_000 }),
  'running.endNotes': bridgeCommand({ effect: 'writes', input: noteInput, output: nothing, deadline: 10_000 }),
  'running.notedWrites': bridgeCommand({
    effect: 'reads',
    input: machine,
    output: z.strictObject({ bytes: z.array(notedByteSchema).max(MAX_NOTED_BYTES) }),
  }),
  /** What the CPU touched since the machine was started, or in its last seconds; code loaded since is left out. */
  'running.coverage': bridgeCommand({
    effect: 'reads',
    input: machine.extend({ seconds: z.number().min(0).max(MAX_FOLLOWED_FRAMES).nullable() }),
    output: touchedSchema,
  }),
  'running.loaded': bridgeCommand({
    effect: 'reads',
    input: machine,
    output: z.strictObject({ programs: z.array(loadedProgramSchema).max(MAX_LOADED_PROGRAMS) }),
  }),
} as const

export const runningEvents = {
  'running.loadedChanged': machine,
} as const
