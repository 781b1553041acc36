/** What a person reads of the end of a program's output to know why it ended. */
import { inertText } from './logFile'

const MAX_LINES = 3
const MAX_CHARACTERS = 600

/** Frames of a stack, the version below it, brackets and rulers. */
const NOISE = /^\s+at |^Node\.js v\d|^[^\p{L}\p{N}]*$/u

/** The last lines that say something, in one; the end of it where it is long. */
export function lastLines(text: string): string {
  const lines = inertText(text)
    .split(/\r?\n/)
    .filter((line) => !NOISE.test(line))
    .slice(-MAX_LINES)
    .map((line) => line.trim())
  const joined = lines.join(' ')
  return joined.length > MAX_CHARACTERS ? `…${joined.slice(1 - MAX_CHARACTERS)}` : joined
}
