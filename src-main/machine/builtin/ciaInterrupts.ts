import { z } from 'zod'

export const TIMER_A = 0x01
export const TIMER_B = 0x02
export const ALARM = 0x04
export const SERIAL = 0x08
export const ALL_SOURCES = 0x1f
const ANY = 0x80

const sources = z.int().min(0).max(ALL_SOURCES)

export const interruptsSchema = z.strictObject({
  flags: sources,
  mask: sources,
  asserted: z.boolean(),
  /** A read in the present cycle released the interrupt line: the CPU sees that in the next one. */
  released: z.boolean(),
  /**
   * Cycles until the line is asserted; 0 for none pending. The 6526 takes one after an event, two after a new mask; the
   * 8521 takes one when the register was read in the cycle before the event.
   */
  delay: z.int().min(0).max(2),
  wasRead: z.boolean(),
  /** An event came in the cycle after a read: the 8521 then interrupts a cycle later. */
  late: z.boolean(),
  losesB: z.boolean(),
  /** A late event was read in its own cycle: the line shows an edge, but no level. */
  pulsed: z.boolean(),
  /** Flags that a read does not show, but that interrupt where the mask allows. */
  hidden: sources,
})
export type Interrupts = z.infer<typeof interruptsSchema>

export const newInterrupts = (): Interrupts => ({
  flags: 0,
  mask: 0,
  asserted: false,
  released: false,
  delay: 0,
  wasRead: false,
  late: false,
  losesB: false,
  pulsed: false,
  hidden: 0,
})

export function stepInterrupts(state: Interrupts, events: number, old: boolean): void {
  state.released = false
  if (state.delay > 0 && --state.delay === 0) state.asserted = true
  if (state.losesB) state.hidden = TIMER_B
  const { wasRead } = state
  // The 6526 loses timer B's flag, not its interrupt, when it was read in the cycle before.
  state.losesB = old && wasRead && (events & TIMER_B) !== 0
  state.wasRead = false
  state.pulsed = false
  state.late = !old && wasRead && events !== 0
  if (events === 0) return
  const late = old ? (events & state.mask & SERIAL) === 0 : wasRead
  noteEvents(state, events, late ? 1 : 0)
}

export function noteEvents(state: Interrupts, events: number, delay: number): void {
  state.flags |= events
  state.hidden &= ~events
  if ((events & state.mask) !== 0) raise(state, delay)
}

export const peekInterrupts = ({ flags, hidden, asserted }: Interrupts): number =>
  (flags & ~hidden) | (asserted ? ANY : 0)

export function readInterrupts(state: Interrupts, old: boolean): number {
  state.pulsed = !old && state.delay > 0
  const value = peekInterrupts(state) | (state.pulsed ? ANY : 0)
  state.flags = 0
  state.hidden = 0
  state.released = state.asserted
  state.asserted = false
  state.delay = 0
  state.wasRead = true
  return value
}

export function writeMask(state: Interrupts, value: number, old: boolean): void {
  state.mask = (value & ANY) === 0 ? state.mask & ~value : state.mask | (value & ALL_SOURCES)
  if ((state.flags & state.mask) !== 0) raise(state, old ? 2 : state.late ? 1 : 0)
}

function raise(state: Interrupts, delay: number): void {
  if (delay === 0) state.asserted = true
  else if (state.delay === 0 || delay < state.delay) state.delay = delay
}

export const settled = ({ delay, wasRead, late, losesB }: Interrupts): boolean =>
  delay === 0 && !wasRead && !late && !losesB
