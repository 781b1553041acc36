/** How a test program ended, by the conventions that the known suites keep. */

export type Verdict = 'passed' | 'failed' | 'no verdict'

export interface Ending {
  /** What it wrote to $D7FF, where VICE's testbench has its debug cartridge; null when it did not. */
  readonly written: number | null
  /** The picture at the end, a colour number for each pixel. */
  readonly pixels: Uint8Array
  /** The picture in the cycle in which it ended, half a frame and half the one before. */
  readonly momentary: Uint8Array
  /** The colour of the border at the end. */
  readonly border: number
  /** The screen's lines at the end. */
  readonly text: readonly string[]
  /** Cycles from power-on to the end. */
  readonly cycles: number
}

const GREENS = [5, 13]
const REDS = [2, 10]

/**
 * The debug cartridge first (0 passed, anything else failed), then the border (green or red), then Wolfgang Lorenz's
 * words: `- ok`, or the register lines that he shows after an error.
 */
export function verdictOf({ written, border, text }: Pick<Ending, 'written' | 'border' | 'text'>): Verdict {
  if (written !== null) return written === 0 ? 'passed' : 'failed'
  if (GREENS.includes(border)) return 'passed'
  if (REDS.includes(border)) return 'failed'
  const said = text.join('\n').toLowerCase()
  if (/^(after|right) /m.test(said)) return 'failed'
  if (/ - ok$/m.test(said)) return 'passed'
  return 'no verdict'
}
