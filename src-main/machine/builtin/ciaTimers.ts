/**
 * Each timer is a pipeline of bits that move one place a cycle, as in Wolfgang Lorenz, "A Software Model of the
 * CIA6526". Cycles in which only a counter moves are skipped at once.
 */
import { z } from 'zod'
import { byte, word } from './numbers'

/** A pulse enters at COUNT_0 or COUNT_1; at COUNT_2 it can underflow a counter of 0, at COUNT_3 it counts. */
const COUNT_0 = 0x01
const COUNT_1 = 0x02
const COUNT_2 = 0x04
const COUNT_3 = 0x08
/** A load enters at LOAD_0 and happens at LOAD_1; at LOAD_2 the counter still follows the latch. */
const LOAD_0 = 0x10
const LOAD_1 = 0x20
const LOAD_2 = 0x40
const ONE_SHOT_1 = 0x80
const PIPE = COUNT_1 | COUNT_2 | COUNT_3 | LOAD_1 | LOAD_2

const START = 0x01
const ON_PORT = 0x02
const TOGGLE = 0x04
export const ONE_SHOT = 0x08
const FORCE_LOAD = 0x10

/** The control bits that choose what a timer counts; none of them set: cycles. */
export const SOURCE_A = 0x20
export const SOURCE_B = 0x60
/** Control B while timer B runs on underflows of timer A; with bit 5 only while CNT is high, which it is. */
export const CASCADED = 0x41

export const timerSchema = z.strictObject({
  counter: word,
  latch: word,
  control: byte,
  pipe: byte,
  underflow: z.boolean(),
  /** Whether timer A's last cycle had an underflow that timer B counts. */
  pulse: z.boolean(),
  /** Toggled by each underflow, set by a start. */
  toggle: z.boolean(),
  /** As last written, even if a one-shot timer has stopped since. */
  started: z.boolean(),
})
export type Timer = z.infer<typeof timerSchema>

export const newTimer = (): Timer => ({
  counter: 0xffff,
  latch: 0xffff,
  control: 0,
  pipe: 0,
  underflow: false,
  pulse: false,
  toggle: false,
  started: false,
})

/** @param delay cycles until it counts, 0 to 3 */
export function resumedTimer(
  { counter, latch, control }: Pick<Timer, 'counter' | 'latch' | 'control'>,
  sourceBits: number,
  delay: number,
): Timer {
  const oneShot = (control & ONE_SHOT) === 0 ? 0 : ONE_SHOT_1
  const counts = countsCycles(control, sourceBits) ? (COUNT_0 | COUNT_1 | COUNT_2 | COUNT_3) >> delay : 0
  return { ...newTimer(), counter, latch, control, pipe: oneShot | counts, started: (control & START) !== 0 }
}

export function stepTimer(timer: Timer, sourceBits: number): void {
  let { pipe } = timer
  if (timer.pulse) pipe |= COUNT_2
  timer.pulse = false
  if ((pipe & COUNT_3) !== 0) timer.counter = (timer.counter - 1) & 0xffff
  timer.underflow = timer.counter === 0 && (pipe & COUNT_2) !== 0
  if (timer.underflow) {
    timer.toggle = !timer.toggle
    pipe |= LOAD_1
    if ((timer.control & ONE_SHOT) !== 0 || (pipe & ONE_SHOT_1) !== 0) {
      timer.control &= ~START
      pipe &= ~(COUNT_0 | COUNT_1)
    }
  }
  if ((pipe & LOAD_1) !== 0) {
    timer.counter = timer.latch
    pipe &= ~COUNT_2
  }
  timer.pipe = ((pipe << 1) & PIPE) | fed(timer.control, sourceBits)
}

export const isLoaded = ({ pipe }: Timer): boolean => (pipe & LOAD_2) !== 0

export function quietCycles({ counter, control, pipe, underflow, pulse }: Timer, sourceBits: number): number {
  if (underflow || pulse || (((pipe << 1) & PIPE) | fed(control, sourceBits)) !== pipe) return 0
  return (pipe & COUNT_3) === 0 ? Infinity : Math.max(counter - 1, 0)
}

export function skipCycles(timer: Timer, cycles: number): void {
  if ((timer.pipe & COUNT_3) !== 0) timer.counter -= cycles
}

export function writeLatch(timer: Timer, high: boolean, value: number): void {
  timer.latch = high ? (timer.latch & 0x00ff) | (value << 8) : (timer.latch & 0xff00) | value
  if ((timer.pipe & LOAD_2) !== 0) timer.counter = timer.latch
  if (high && (timer.control & START) === 0) timer.pipe |= LOAD_0
}

export function writeControl(timer: Timer, sourceBits: number, value: number): void {
  if ((value & START) !== 0 && !timer.started) timer.toggle = true
  timer.started = (value & START) !== 0
  timer.control = value & ~FORCE_LOAD
  if ((value & START) === 0) timer.pulse = false
  timer.pipe &= ~(COUNT_0 | COUNT_1)
  if (countsCycles(value, sourceBits)) timer.pipe |= COUNT_0 | COUNT_1
  if ((value & FORCE_LOAD) !== 0) timer.pipe |= LOAD_0
}

/** Undefined while the port has the pin. */
export function timerPin({ control, underflow, toggle }: Timer): boolean | undefined {
  if ((control & ON_PORT) === 0) return undefined
  return (control & TOGGLE) === 0 ? underflow : toggle
}

const countsCycles = (control: number, sourceBits: number): boolean => (control & (START | sourceBits)) === START

const fed = (control: number, sourceBits: number): number =>
  (countsCycles(control, sourceBits) ? COUNT_0 : 0) | ((control & ONE_SHOT) === 0 ? 0 : ONE_SHOT_1)
