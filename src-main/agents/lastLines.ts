import { inertText } from './logFile'

const MAX_LINES = 3
const MAX_CHARACTERS = 600

const NOISE = /^\s+at |^Node\.js v\d|^[^\p{L}\p{N}]*$/u

export function lastLines(text: string): string {
  const lines = inertText(text)
    .split(/\r?\n/)
    .filter((line) => !NOISE.test(line))
    .slice(-MAX_LINES)
    .map((line) => line.trim())
  const joined = lines.join(' ')
  return joined.length > MAX_CHARACTERS ? `…${joined.slice(1 - MAX_CHARACTERS)}` : joined
}
