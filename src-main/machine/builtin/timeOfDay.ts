import { z } from 'zod'
import { byte } from './numbers'

/** Tenths, seconds, minutes, hours in BCD; bit 7 of the hours is PM. */
const registers = z.tuple([byte, byte, byte, byte])
type Registers = z.infer<typeof registers>

const HOURS = 3
const TENTHS = 0
const PM = 0x80
const writable: Registers = [0x0f, 0x7f, 0x7f, 0x9f]

export const timeOfDaySchema = z.strictObject({
  time: registers,
  alarm: registers,
  latched: registers.nullable(),
  stopped: z.boolean(),
  /** Mains periods since the last tenth of a second. */
  divider: z.int().min(0).max(7),
  /** A cycle, with a fraction. */
  nextPeriod: z.number().min(0),
})
export type TimeOfDay = z.infer<typeof timeOfDaySchema>

export const newTimeOfDay = (nextPeriod: number): TimeOfDay => ({
  time: [0, 0, 0, 1],
  alarm: [0, 0, 0, 0],
  latched: null,
  stopped: true,
  divider: 0,
  nextPeriod,
})

/** @param index 0 tenths to 3 hours */
export const peekTime = ({ time, latched }: TimeOfDay, index: number): number => (latched ?? time)[index] ?? 0

/** Reading the hours latches the registers until the tenths are read. */
export function readTime(clock: TimeOfDay, index: number): number {
  if (index === HOURS) clock.latched ??= [...clock.time]
  const value = peekTime(clock, index)
  if (index === TENTHS) clock.latched = null
  return value
}

/**
 * Writing the hours stops the clock until the tenths are written.
 * @returns whether the alarm goes off
 */
export function writeTime(clock: TimeOfDay, index: number, value: number, toAlarm: boolean): boolean {
  const before = isAlarm(clock)
  const bits = value & (writable[index] ?? 0)
  if (toAlarm) clock.alarm[index] = bits
  else {
    // Hour 12 turns PM around when it is written.
    clock.time[index] = index === HOURS && (bits & 0x1f) === 0x12 ? bits ^ PM : bits
    if (index === HOURS) clock.stopped = true
    if (index === TENTHS && clock.stopped) {
      clock.stopped = false
      clock.divider = 0
    }
  }
  return !before && isAlarm(clock)
}

/**
 * A period of the mains.
 * @param mains50 whether the control register says 50 Hz
 * @returns whether the alarm goes off
 */
export function tick(clock: TimeOfDay, mains50: boolean): boolean {
  if (clock.stopped) return false
  // Three bits: when switched to 50 Hz after it has passed 5, the divider wraps all the way around.
  clock.divider = (clock.divider + 1) & 0x07
  if (clock.divider !== (mains50 ? 5 : 6)) return false
  clock.divider = 0
  clock.time = nextTenth(clock.time)
  return isAlarm(clock)
}

const isAlarm = ({ time, alarm }: TimeOfDay): boolean => time.every((part, index) => part === alarm[index])

/** Each digit counts alone: 9 (or 5) wraps, any other value increments within its bits; only 59 carries. */
function nextTenth([tenths, seconds, minutes, hours]: Registers): Registers {
  if (tenths !== 9) return [(tenths + 1) & 0x0f, seconds, minutes, hours]
  if (seconds !== 0x59) return [0, next60(seconds), minutes, hours]
  return [0, 0, next60(minutes), minutes === 0x59 ? nextHour(hours) : hours]
}

function next60(value: number): number {
  const low = value & 0x0f
  const high = value & 0x70
  if (low !== 9) return high | ((low + 1) & 0x0f)
  return high === 0x50 ? 0 : (high + 0x10) & 0x70
}

/** The hours go 12, 1, ... 11; PM changes on the way from 11 to 12. */
function nextHour(hours: number): number {
  const low = hours & 0x0f
  const ten = hours & 0x10
  if (low === (ten === 0 ? 9 : 2)) return (hours & PM) | (ten === 0 ? 0x10 : 0x01)
  const next = (low + 1) & 0x0f
  return (ten !== 0 && next === 2 ? (hours & PM) ^ PM : hours & PM) | ten | next
}
