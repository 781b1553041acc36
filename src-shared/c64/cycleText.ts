import { durationText } from '../durationText'
import { counted } from '../countedText'

const FEW_CYCLES = 1_000

/** @param clockRate cycles per second */
export function cycleText(cycles: number, clockRate: number): string {
  if (cycles < FEW_CYCLES) return counted(cycles, 'cycle')
  const seconds = cycles / clockRate
  if (seconds < 1) return `${(seconds * 1000).toFixed(1)} ms`
  return seconds < 60 ? `${seconds.toFixed(2)} s` : durationText(seconds * 1000)
}
