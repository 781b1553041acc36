/**
 * The chips in version 1 of saved states (Bridgedeck 0.1), converted to version 2. That machine kept time by the raster
 * line, took the VIC-II's cycles from the CPU at once, and its port kept no charge.
 */
import { videoStandards, type CiaModel } from '@shared/contract/machine'
import { z } from 'zod'
import type { CiaState } from './cia'
import { ALL_SOURCES, newInterrupts } from './ciaInterrupts'
import { SOURCE_A, SOURCE_B, resumedTimer } from './ciaTimers'
import type { CpuState } from './cpu'
import { INTERRUPTS_OFF } from './processor'
import type { PortState } from './processorPort'
import { newSerialRegister } from './serialRegister'
import { vicV2Schema } from './stateV2'
import { byte, word } from './numbers'

const cpuV1Schema = z.strictObject({
  pc: word,
  a: byte,
  x: byte,
  y: byte,
  sp: byte,
  flags: byte,
  /** Decided at the last poll, taken before the next instruction. */
  irq: z.boolean(),
  nmi: z.boolean(),
  irqLine: z.boolean(),
  nmiPending: z.boolean(),
  pollAtFetch: z.boolean(),
})

const portV1Schema = z.strictObject({ direction: byte, data: byte })

/** Tenths, seconds, minutes, hours in BCD; bit 7 of the hours is PM. */
const timeOfDay = z.tuple([byte, byte, byte, byte])
const timer = z.strictObject({
  counter: word,
  latch: word,
  control: byte,
  /** Cycles before a just started or loaded timer counts. */
  delay: z.int().min(0).max(3),
})

const ciaV1Schema = z
  .strictObject({
    /** PRA, PRB, DDRA, DDRB as written. */
    ports: z.tuple([byte, byte, byte, byte]),
    timerA: timer,
    timerB: timer,
    serial: byte,
    /** Interrupt flags gathered since the last read, and which of them interrupt. */
    flags: byte,
    mask: byte,
    asserted: z.boolean(),
    time: timeOfDay,
    alarm: timeOfDay,
    /** What the registers show while a read has latched them. */
    latched: timeOfDay.nullable(),
    stopped: z.boolean(),
    /** Mains periods since the last tenth of a second, and the cycle (with a fraction) of the next. */
    periods: byte,
    nextPeriod: z.number().min(0),
    now: z.int().min(0),
  })
  .refine(({ now, nextPeriod }) => nextPeriod >= now && nextPeriod < now + 0x10000)
type CiaV1State = z.infer<typeof ciaV1Schema>

export const chipsFromV1 = z
  .strictObject({
    standard: z.enum(videoStandards),
    /**
     * The clock at the start of the line, and the cycles since; after a bad line these may exceed the line's length.
     */
    lineStart: z.int().min(0),
    cycle: z.int().min(0).max(200),
    port: portV1Schema,
    cpu: cpuV1Schema,
    vic: vicV2Schema,
    cia1: ciaV1Schema,
    cia2: ciaV1Schema,
    sid: z.array(byte).length(32),
    typing: z.array(byte),
  })
  .transform(({ lineStart, cycle, cpu, port, cia1, cia2, ...others }) => ({
    ...others,
    ciaModel: '8521' as CiaModel,
    clock: lineStart + cycle,
    // Bus time that the VIC-II had begun to take is over: the cycle is the one after it.
    raster: { lineStart, matrixEnd: 0, spritesStart: 0, sprites: 0 },
    cpu: cpuFromV1(cpu),
    cia1: ciaFromV1(cia1),
    cia2: ciaFromV1(cia2),
    port: portFromV1(port),
  }))

function cpuFromV1(cpu: z.infer<typeof cpuV1Schema>): CpuState {
  const { pc, a, x, y, sp, flags, irq, nmi, irqLine, nmiPending, pollAtFetch } = cpu
  const polled = pollAtFetch && (nmiPending || (irqLine && (flags & INTERRUPTS_OFF) === 0))
  return {
    pc,
    a,
    x,
    y,
    sp,
    flags,
    irq: irqLine,
    nmiLatched: nmi || nmiPending,
    interrupted: irq || nmi || polled,
    // A jammed CPU was saved before the opcode, where it jams again.
    jammedAt: null,
  }
}

function ciaFromV1(cia: CiaV1State): CiaState {
  const { ports, now, serial, flags, mask, asserted, time, alarm, latched, stopped, periods, nextPeriod } = cia
  return {
    ports,
    timerA: resumedTimer(cia.timerA, SOURCE_A, cia.timerA.delay),
    timerB: resumedTimer(cia.timerB, SOURCE_B, cia.timerB.delay),
    timeOfDay: { time, alarm, latched, stopped, divider: periods % 6, nextPeriod },
    serial: { ...newSerialRegister(), data: serial },
    interrupts: { ...newInterrupts(), flags: flags & ALL_SOURCES, mask: mask & ALL_SOURCES, asserted },
    now,
  }
}

const portFromV1 = ({ direction, data }: z.infer<typeof portV1Schema>): PortState => ({
  direction,
  data,
  driven: data & direction,
  fadesAt: [0, 0],
})
