/**
 * A 6526 CIA: ports, timers A and B, time of day with alarm, interrupts. Time is the machine's cycle count; the chip is
 * brought up to date when it is accessed and when its next interrupt is due.
 * Left out: the serial shift register, timer output on PB6/PB7, pulses on CNT (the pin is open and reads high).
 */
import { z } from 'zod'

const byte = z.int().min(0).max(255)
const counter = z.int().min(0).max(0xffff)
/** Tenths, seconds, minutes, hours in BCD; bit 7 of the hours is PM. */
const timeOfDay = z.tuple([byte, byte, byte, byte])

const timer = z.strictObject({
  counter,
  latch: counter,
  control: byte,
  /** Cycles that pass before a timer that was just started or loaded counts. */
  delay: z.int().min(0).max(3),
})

export const ciaSchema = z
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
    /** Mains periods since the last tenth of a second, and the moment (in cycles, with a fraction) of the next. */
    periods: byte,
    nextPeriod: z.number().min(0),
    /** The cycle that all of this is true for. */
    now: z.int().min(0),
  })
  .refine(({ now, nextPeriod }) => nextPeriod >= now && nextPeriod < now + 0x10000)
export type CiaState = z.infer<typeof ciaSchema>
type Timer = z.infer<typeof timer>
type TimeOfDay = CiaState['time']

const TIMER_A = 0x01
const TIMER_B = 0x02
const ALARM = 0x04

const START = 0x01
const ONE_SHOT = 0x08
const FORCE_LOAD = 0x10
/** Control A: count CNT pulses. */
const COUNT_CNT = 0x20
/** Control B bits 5 and 6: 0 counts cycles, 1 CNT pulses, 2 and 3 underflows of timer A. */
const COUNT_OTHER = 0x60
const COUNT_UNDERFLOWS = 0x40
/** Control A: the mains has 50 Hz. */
const MAINS_50 = 0x80
/** Control B: writes to the time of day set the alarm. */
const SET_ALARM = 0x80

export interface Pins {
  /** Levels at port A, given what both ports drive; 0 pulls low. */
  a(drivenA: number, drivenB: number): number
  b(drivenA: number, drivenB: number): number
}

export class Cia {
  state: CiaState
  readonly #pins: Pins
  readonly #cyclesPerPeriod: number

  /**
   * @param clockRate cycles per second
   * @param mains Hz at the time-of-day pin, 50 or 60
   */
  constructor(clockRate: number, mains: number, pins: Pins) {
    this.#pins = pins
    this.#cyclesPerPeriod = clockRate / mains
    this.state = powerOn(0, this.#cyclesPerPeriod)
  }

  /** The reset line: all but the time of day. The machine's own count of cycles goes on. */
  reset(): void {
    const { now, nextPeriod, time, alarm, stopped } = this.state
    this.state = { ...powerOn(now, nextPeriod), time, alarm, stopped }
  }

  /** True while the chip pulls its interrupt line. */
  get asserted(): boolean {
    return this.state.asserted
  }

  /** What the ports drive; pins that are inputs float high. */
  get drivenA(): number {
    return (this.state.ports[0] | ~this.state.ports[2]) & 0xff
  }

  get drivenB(): number {
    return (this.state.ports[1] | ~this.state.ports[3]) & 0xff
  }

  /** The cycle at which `advance` is due so that no interrupt comes late. */
  get nextEvent(): number {
    const { timerA, timerB, mask, now } = this.state
    let next = Math.ceil(this.state.nextPeriod)
    const aCounts = (timerA.control & (START | COUNT_CNT)) === START
    if (aCounts && (mask & TIMER_A) !== 0) next = Math.min(next, now + untilUnderflow(timerA))
    if ((timerB.control & START) === 0 || (mask & TIMER_B) === 0) return next
    if ((timerB.control & COUNT_OTHER) === 0) return Math.min(next, now + untilUnderflow(timerB))
    // Timer A's next underflow is the earliest moment that can matter to timer B.
    return aCounts && (timerB.control & COUNT_UNDERFLOWS) !== 0 ? Math.min(next, now + untilUnderflow(timerA)) : next
  }

  /** Brings the chip up to date with cycle `now`. */
  advance(now: number): void {
    const { state } = this
    const cycles = now - state.now
    if (cycles <= 0) return
    state.now = now
    const { timerA, timerB } = state
    let underflows = 0
    if ((timerA.control & (START | COUNT_CNT)) === START) underflows = count(timerA, cycles)
    if (underflows > 0) this.#raise(TIMER_A)
    if ((timerB.control & START) !== 0) {
      const source = timerB.control & COUNT_OTHER
      const steps = source === 0 ? cycles : (source & COUNT_UNDERFLOWS) !== 0 ? underflows : 0
      if (count(timerB, steps) > 0) this.#raise(TIMER_B)
    }
    while (now >= state.nextPeriod) {
      state.nextPeriod += this.#cyclesPerPeriod
      this.#tick()
    }
  }

  /** @param register 0 to 15 */
  read(register: number, now: number): number {
    this.advance(now)
    const value = this.peek(register)
    const { state } = this
    if (register === 0x0d) {
      state.flags = 0
      state.asserted = false
    }
    if (register === 0x0b) state.latched = [...state.time]
    if (register === 0x08) state.latched = null
    return value
  }

  /** Like {@link read} but nothing is latched or cleared; the timers are as of the last `advance`. */
  peek(register: number): number {
    const { state } = this
    switch (register) {
      case 0x0:
        return this.drivenA & this.#pins.a(this.drivenA, this.drivenB)
      case 0x1:
        return this.drivenB & this.#pins.b(this.drivenA, this.drivenB)
      case 0x2:
        return state.ports[2]
      case 0x3:
        return state.ports[3]
      case 0x4:
        return state.timerA.counter & 0xff
      case 0x5:
        return state.timerA.counter >> 8
      case 0x6:
        return state.timerB.counter & 0xff
      case 0x7:
        return state.timerB.counter >> 8
      case 0x8:
      case 0x9:
      case 0xa:
      case 0xb:
        return (state.latched ?? state.time)[register - 0x8] ?? 0
      case 0xc:
        return state.serial
      case 0xd:
        return state.flags | (state.asserted ? 0x80 : 0)
      case 0xe:
        return state.timerA.control
      default:
        return state.timerB.control
    }
  }

  /** @param register 0 to 15 */
  write(register: number, value: number, now: number): void {
    this.advance(now)
    const { state } = this
    switch (register) {
      case 0x0:
      case 0x1:
      case 0x2:
      case 0x3:
        state.ports[register] = value
        break
      case 0x4:
      case 0x5:
        setLatch(state.timerA, register === 0x5, value)
        break
      case 0x6:
      case 0x7:
        setLatch(state.timerB, register === 0x7, value)
        break
      case 0x8:
      case 0x9:
      case 0xa:
      case 0xb:
        this.#setTime(register, value)
        break
      case 0xc:
        state.serial = value
        break
      case 0xd:
        state.mask = (value & 0x80) === 0 ? state.mask & ~value : state.mask | (value & 0x1f)
        if ((state.flags & state.mask) !== 0) state.asserted = true
        break
      case 0xe:
        setControl(state.timerA, value, COUNT_CNT)
        break
      default:
        setControl(state.timerB, value, COUNT_OTHER)
    }
  }

  #raise(flag: number): void {
    const { state } = this
    state.flags |= flag
    if ((state.mask & flag) !== 0) state.asserted = true
  }

  /** Writing the hours stops the clock until the tenths are written. */
  #setTime(register: number, value: number): void {
    const { state } = this
    const settingAlarm = (state.timerB.control & SET_ALARM) !== 0
    const time = settingAlarm ? state.alarm : state.time
    if (register === 0x8) time[0] = value & 0x0f
    else if (register === 0x9) time[1] = value & 0x7f
    else if (register === 0xa) time[2] = value & 0x7f
    else time[3] = value & 0x9f
    if (!settingAlarm && register === 0xb) state.stopped = true
    if (!settingAlarm && register === 0x8) state.stopped = false
    this.#compareAlarm()
  }

  #tick(): void {
    const { state } = this
    if (state.stopped) return
    state.periods++
    if (state.periods < ((state.timerA.control & MAINS_50) === 0 ? 6 : 5)) return
    state.periods = 0
    state.time = nextTenth(state.time)
    this.#compareAlarm()
  }

  #compareAlarm(): void {
    const { time, alarm } = this.state
    if (time.every((part, index) => part === alarm[index])) this.#raise(ALARM)
  }
}

const powerOn = (now: number, nextPeriod: number): CiaState => ({
  ports: [0, 0, 0, 0],
  timerA: { counter: 0xffff, latch: 0xffff, control: 0, delay: 0 },
  timerB: { counter: 0xffff, latch: 0xffff, control: 0, delay: 0 },
  serial: 0,
  flags: 0,
  mask: 0,
  asserted: false,
  time: [0, 0, 0, 1],
  alarm: [0, 0, 0, 0],
  latched: null,
  stopped: true,
  periods: 0,
  nextPeriod,
  now,
})

const untilUnderflow = ({ counter, delay }: Timer): number => delay + counter + 1

/** Counts down by `steps`; an underflow reloads, and stops a one-shot timer. Returns the number of underflows. */
function count(timer: Timer, steps: number): number {
  if (timer.delay > 0) {
    const waited = Math.min(timer.delay, steps)
    timer.delay -= waited
    steps -= waited
  }
  if (steps <= timer.counter) {
    timer.counter -= steps
    return 0
  }
  if ((timer.control & ONE_SHOT) !== 0) {
    timer.control &= ~START
    timer.counter = timer.latch
    return 1
  }
  const period = timer.latch + 1
  const beyond = steps - timer.counter - 1
  timer.counter = timer.latch - (beyond % period)
  return 1 + Math.floor(beyond / period)
}

/** The high byte also goes into the counter of a stopped timer. */
function setLatch(timer: Timer, high: boolean, value: number): void {
  timer.latch = high ? (timer.latch & 0x00ff) | (value << 8) : (timer.latch & 0xff00) | value
  if (high && (timer.control & START) === 0) timer.counter = timer.latch
}

/** Cycles from the write until a timer starts or stops, and until it counts from what was loaded into it. */
const SWITCH_DELAY = 2
const LOAD_DELAY = 3

/** @param counted the control bits that make the timer count something else than cycles */
function setControl(timer: Timer, value: number, counted: number): void {
  const runs = (timer.control & START) !== 0
  const starts = !runs && (value & START) !== 0
  const stops = runs && (value & START) === 0
  const countsCycles = (value & counted) === 0
  if (stops && countsCycles) count(timer, SWITCH_DELAY)
  timer.delay = starts && countsCycles ? SWITCH_DELAY : 0
  if ((value & FORCE_LOAD) !== 0) {
    timer.counter = timer.latch
    if (countsCycles) timer.delay = LOAD_DELAY
  }
  timer.control = value & ~FORCE_LOAD
}

const nextBcd = (value: number): number => ((value & 0x0f) === 9 ? (value & 0xf0) + 0x10 : value + 1)

/** The hours go 12, 1, ... 11; PM changes on the way from 11 to 12. */
function nextTenth([tenths, seconds, minutes, hours]: TimeOfDay): TimeOfDay {
  if (tenths !== 9) return [(tenths + 1) & 0x0f, seconds, minutes, hours]
  if (seconds !== 0x59) return [0, nextBcd(seconds) & 0x7f, minutes, hours]
  if (minutes !== 0x59) return [0, 0, nextBcd(minutes) & 0x7f, hours]
  const hour = hours & 0x1f
  if (hour === 0x11) return [0, 0, 0, 0x12 | (~hours & 0x80)]
  return [0, 0, 0, (hours & 0x80) | (hour === 0x12 ? 1 : nextBcd(hour) & 0x1f)]
}
