/**
 * VICE's palette files: sixteen lines of red, green and blue in hexadecimal, a dither value that old versions wrote,
 * comments.
 */

export const MAX_VPL_BYTES = 64 * 1024

const COLOURS = 16
const MAX_PROBLEMS = 5

interface VplProblem {
  /** From 1. */
  readonly line: number
  readonly text: string
}

export interface ReadVpl {
  /** Sixteen, 0xRRGGBB; null where the file has another number. */
  readonly colours: readonly number[] | null
  readonly problems: readonly VplProblem[]
}

export function readVpl(text: string): ReadVpl {
  const colours: number[] = []
  const problems: VplProblem[] = []
  const lines = text.slice(0, MAX_VPL_BYTES).split(/\r\n?|\n/)
  for (const [index, whole] of lines.entries()) {
    const words = whole.trim()
    if (words === '' || words.startsWith('#')) continue
    const colour = colourOf(words)
    if (colour !== null) colours.push(colour)
    else if (problems.length < MAX_PROBLEMS)
      problems.push({
        line: index + 1,
        text: `Expected red, green and blue as hexadecimal numbers, found “${words.slice(0, 40)}”.`,
      })
  }
  if (problems.length === 0 && colours.length !== COLOURS)
    problems.push({ line: lines.length, text: `Expected ${COLOURS} colours, found ${colours.length}.` })
  return { colours: problems.length === 0 ? colours : null, problems }
}

function colourOf(words: string): number | null {
  const parts = words.split(/\s+/)
  const isColour = (parts.length === 3 || parts.length === 4) && parts.every((part) => /^[0-9a-f]{1,2}$/i.test(part))
  if (!isColour) return null
  const [red = 0, green = 0, blue = 0] = parts.map((part) => Number.parseInt(part, 16))
  return red * 0x10000 + green * 0x100 + blue
}
