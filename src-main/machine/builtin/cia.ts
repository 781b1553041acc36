/**
 * 6526 or 8521 (6526A). Time is the machine's cycle count. The chip is stepped cycle by cycle while anything but a
 * counter changes; other cycles are skipped.
 */
import type { CiaModel } from '@shared/contract/machine'
import { z } from 'zod'
import {
  ALARM,
  SERIAL,
  TIMER_A,
  TIMER_B,
  interruptsSchema,
  newInterrupts,
  noteEvents,
  peekInterrupts,
  readInterrupts,
  settled,
  stepInterrupts,
  writeMask,
} from './ciaInterrupts'
import {
  CASCADED,
  ONE_SHOT,
  SOURCE_A,
  SOURCE_B,
  isLoaded,
  newTimer,
  quietCycles,
  skipCycles,
  stepTimer,
  timerPin,
  timerSchema,
  writeControl,
  writeLatch,
} from './ciaTimers'
import {
  holdSerial,
  isOutput,
  isQuiet,
  newSerialRegister,
  restartSerial,
  serialSchema,
  stepSerial,
  writeSerial,
} from './serialRegister'
import { newTimeOfDay, peekTime, readTime, tick, timeOfDaySchema, writeTime } from './timeOfDay'
import { byte } from './numbers'

export const ciaSchema = z
  .strictObject({
    /** PRA, PRB, DDRA, DDRB as written. */
    ports: z.tuple([byte, byte, byte, byte]),
    timerA: timerSchema,
    timerB: timerSchema,
    timeOfDay: timeOfDaySchema,
    serial: serialSchema,
    interrupts: interruptsSchema,
    now: z.int().min(0),
  })
  .refine(({ now, timeOfDay: { nextPeriod } }) => nextPeriod >= now && nextPeriod < now + 0x10000)
export type CiaState = z.infer<typeof ciaSchema>

const MAINS_50 = 0x80
/** Control B: writes to the time of day set the alarm. */
const SET_ALARM = 0x80
const TIMER_A_PIN = 0x40
const TIMER_B_PIN = 0x80

export interface Pins {
  a(drivenA: number, drivenB: number): number
  b(drivenA: number, drivenB: number): number
}

export class Cia {
  state: CiaState
  readonly #old: boolean
  readonly #pins: Pins
  readonly #cyclesPerPeriod: number

  /**
   * @param clockRate cycles per second
   * @param mains Hz at the time-of-day pin, 50 or 60
   */
  constructor(model: CiaModel, clockRate: number, mains: number, pins: Pins) {
    this.#old = model === '6526'
    this.#pins = pins
    this.#cyclesPerPeriod = clockRate / mains
    this.state = powerOn(0, this.#cyclesPerPeriod)
  }

  /** Cycle count and mains phase continue. */
  reset(): void {
    const { now, timeOfDay } = this.state
    this.state = powerOn(now, timeOfDay.nextPeriod)
  }

  get asserted(): boolean {
    return this.state.interrupts.asserted
  }

  /** True while the CPU sees the line low, also in the cycle in which it is released. */
  get seenLow(): boolean {
    return this.asserted || this.state.interrupts.released
  }

  /** True in a cycle in which the interrupt line shows only an edge. */
  get pulsed(): boolean {
    return this.state.interrupts.pulsed
  }

  /** The levels that the ports drive; pins that are inputs float high. */
  get drivenA(): number {
    return (this.state.ports[0] | ~this.state.ports[2]) & 0xff
  }

  get drivenB(): number {
    const { ports, timerA, timerB } = this.state
    let driven = (ports[1] | ~ports[3]) & 0xff
    for (const [pin, level] of [
      [TIMER_A_PIN, timerPin(timerA)],
      [TIMER_B_PIN, timerPin(timerB)],
    ] as const)
      if (level !== undefined) driven = level ? driven | pin : driven & ~pin
    return driven
  }

  /** The cycle at which `advance` is due so that no interrupt comes late. */
  get nextEvent(): number {
    const { interrupts, timeOfDay, now } = this.state
    const mains = Math.ceil(timeOfDay.nextPeriod)
    const { asserted, mask } = interrupts
    if (settled(interrupts) && (asserted || (mask & (TIMER_A | TIMER_B | SERIAL)) === 0)) return mains
    return Math.min(mains, now + this.#quietCycles() + 1)
  }

  advance(now: number): void {
    const { state } = this
    while (state.now < now) {
      const quiet = Math.min(
        this.#quietCycles(),
        now - state.now,
        Math.ceil(state.timeOfDay.nextPeriod) - state.now - 1,
      )
      if (quiet <= 0) {
        this.#step()
        continue
      }
      state.now += quiet
      skipCycles(state.timerA, quiet)
      skipCycles(state.timerB, quiet)
    }
  }

  /** @param register 0 to 15 */
  read(register: number, now: number): number {
    this.advance(now)
    if (register === 0xd) return readInterrupts(this.state.interrupts, this.#old)
    if (register >= 0x8 && register <= 0xb) return readTime(this.state.timeOfDay, register - 0x8)
    return this.peek(register)
  }

  /** Nothing is latched or cleared; the timers are as of the last `advance`. */
  peek(register: number): number {
    const { ports, timerA, timerB, timeOfDay, serial, interrupts } = this.state
    switch (register) {
      case 0x0:
        return this.#pins.a(this.drivenA, this.drivenB)
      case 0x1:
        return this.#pins.b(this.drivenA, this.drivenB)
      case 0x2:
        return ports[2]
      case 0x3:
        return ports[3]
      case 0x4:
        return timerA.counter & 0xff
      case 0x5:
        return timerA.counter >> 8
      case 0x6:
        return timerB.counter & 0xff
      case 0x7:
        return timerB.counter >> 8
      case 0x8:
      case 0x9:
      case 0xa:
      case 0xb:
        return peekTime(timeOfDay, register - 0x8)
      case 0xc:
        return serial.data
      case 0xd:
        return peekInterrupts(interrupts)
      case 0xe:
        return timerA.control
      default:
        return timerB.control
    }
  }

  /** @param register 0 to 15 */
  write(register: number, value: number, now: number): void {
    this.advance(now)
    const { ports, timerA, timerB, timeOfDay, serial, interrupts } = this.state
    switch (register) {
      case 0x0:
      case 0x1:
      case 0x2:
      case 0x3:
        ports[register] = value
        break
      case 0x4:
      case 0x5:
        writeLatch(timerA, register === 0x5, value)
        break
      case 0x6:
      case 0x7:
        writeLatch(timerB, register === 0x7, value)
        break
      case 0x8:
      case 0x9:
      case 0xa:
      case 0xb:
        if (writeTime(timeOfDay, register - 0x8, value, (timerB.control & SET_ALARM) !== 0))
          noteEvents(interrupts, ALARM, this.#old ? 1 : 0)
        break
      case 0xc:
        writeSerial(serial, value, timerA.started && isOutput(timerA.control))
        break
      case 0xd:
        writeMask(interrupts, value, this.#old)
        break
      case 0xe: {
        const wasStarted = timerA.started
        writeControl(timerA, SOURCE_A, value)
        if (!timerA.started) holdSerial(serial)
        else if (!wasStarted && (value & ONE_SHOT) === 0) restartSerial(serial)
        break
      }
      default:
        writeControl(timerB, SOURCE_B, value)
    }
  }

  #quietCycles(): number {
    const { timerA, timerB, serial, interrupts } = this.state
    if (!isQuiet(serial) || !settled(interrupts)) return 0
    return Math.min(quietCycles(timerA, SOURCE_A), quietCycles(timerB, SOURCE_B))
  }

  #step(): void {
    const { state } = this
    const { timerA, timerB, timeOfDay, serial } = state
    state.now++
    stepTimer(timerA, SOURCE_A)
    stepTimer(timerB, SOURCE_B)
    if (timerA.underflow && (timerB.control & CASCADED) === CASCADED) timerB.pulse = true
    let events = (timerA.underflow ? TIMER_A : 0) | (timerB.underflow ? TIMER_B : 0)
    if (stepSerial(serial, timerA.control, timerA.underflow, isLoaded(timerA))) events |= SERIAL
    if (state.now >= timeOfDay.nextPeriod) {
      timeOfDay.nextPeriod += this.#cyclesPerPeriod
      if (tick(timeOfDay, (timerA.control & MAINS_50) !== 0)) events |= ALARM
    }
    stepInterrupts(state.interrupts, events, this.#old)
  }
}

const powerOn = (now: number, nextPeriod: number): CiaState => ({
  ports: [0, 0, 0, 0],
  timerA: newTimer(),
  timerB: newTimer(),
  timeOfDay: newTimeOfDay(nextPeriod),
  serial: newSerialRegister(),
  interrupts: newInterrupts(),
  now,
})
