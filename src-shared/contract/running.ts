/** Running a machine to somewhere. */
import { z } from 'zod'
import { bridgeCommand } from './define'
import { machineNameSchema } from './machine'

const machine = z.strictObject({ machine: machineNameSchema })
const nothing = z.strictObject({})

/** What comes next: a raster line, a frame, the first instruction after an IRQ or an NMI was taken. */
export const nextMoments = ['line', 'frame', 'irq', 'nmi'] as const
export type NextMoment = (typeof nextMoments)[number]

/** An address, before the instruction there; or what comes next. */
const runTargetSchema = z.union([z.int().min(0).max(0xffff), z.enum(nextMoments)])
export type RunTarget = z.infer<typeof runTargetSchema>

export const runningCommands = {
  /** Lets the machine run, at least one instruction, and pauses it there. Answers once it runs: it may never come there. */
  'running.to': bridgeCommand({ input: machine.extend({ to: runTargetSchema }), output: nothing, deadline: 10_000 }),
} as const
