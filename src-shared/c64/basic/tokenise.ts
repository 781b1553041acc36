import { textToPetscii } from '../petscii'
import type { SourceProblem } from '../assembly/assembleSource'
import { controlCodes } from './controlCodes'
import { DATA, FIRST_TOKEN, keywords, PI, PRINT, REM } from './tokens'

export const BASIC_START = 0x0801
const MAX_LINE_NUMBER = 63_999
/** With link, number and end, BASIC counts within a line in eight bits. */
const MAX_LINE_BYTES = 250
const LINE_FRAME_BYTES = 5
const MAX_CODE_CHARS = 60
const MAX_PROBLEMS = 20
const MEMORY_END = 0xa000

export type TokenisedProgram =
  | { readonly ok: true; readonly prg: Uint8Array<ArrayBuffer>; readonly lines: number }
  | { readonly ok: false; readonly problems: readonly SourceProblem[] }

/** The first line of C64Studio's texts: address, dialect, case, and steps of numbers. */
const C64STUDIO = /^#(?:C64Studio|RetroDevStudio)\.MetaData\.BASIC:(.{0,200})$/i

/**
 * The last of two lines with the same number counts, as when typed. Letters of both cases are the key without SHIFT;
 * `{clr}`, `{$93}` and `{147}` are control codes. In a lower-case text of C64Studio, capitals are the key with SHIFT.
 * Problems name the line of the text, from 1; nothing behind the twentieth is read. Linear in time.
 */
export function tokenise(text: string): TokenisedProgram {
  const problems: SourceProblem[] = []
  const lines = new Map<number, readonly number[]>()
  let hasShift = false
  let line = 0
  for (const written of linesOf(text)) {
    line++
    const header = line === 1 ? C64STUDIO.exec(written.trim())?.[1] : undefined
    const read = header === undefined ? lineOf(written, hasShift) : null
    if (header !== undefined) {
      const [, dialect = '', letters = ''] = header.split(',').map((part) => part.trim())
      hasShift = letters.toLowerCase() === 'lowercase'
      if (dialect !== '' && !/\bV2$/i.test(dialect))
        problems.push({ line, message: `The text is in “${dialect.slice(0, 40)}”; only BASIC V2 is read.` })
    } else if (typeof read === 'string') problems.push({ line, message: read })
    else if (read !== null) lines.set(read.number, read.bytes)
    if (problems.length === MAX_PROBLEMS) break
  }
  if (lines.size === 0 && problems.length === 0) problems.push({ line: 1, message: 'There is no line of BASIC.' })
  return problems.length > 0 ? { ok: false, problems } : programOf(lines)
}

function programOf(lines: ReadonlyMap<number, readonly number[]>): TokenisedProgram {
  const length = [...lines.values()].reduce((sum, line) => sum + line.length + LINE_FRAME_BYTES, 2)
  if (BASIC_START + length > MEMORY_END)
    return {
      ok: false,
      problems: [{ line: 1, message: `The program is ${length} bytes long; BASIC has room for 38911.` }],
    }
  const bytes: number[] = [BASIC_START & 0xff, BASIC_START >> 8]
  for (const [number, line] of [...lines].toSorted(([a], [b]) => a - b)) {
    const next = BASIC_START + bytes.length - 2 + line.length + LINE_FRAME_BYTES
    bytes.push(next & 0xff, next >> 8, number & 0xff, number >> 8, ...line, 0)
  }
  bytes.push(0, 0)
  return { ok: true, prg: Uint8Array.from(bytes), lines: lines.size }
}

function* linesOf(text: string): Generator<string> {
  const end = /\r\n|\r|\n/g
  for (let from = 0; from <= text.length;) {
    const found = end.exec(text)
    yield text.slice(from, found?.index)
    from = found ? end.lastIndex : text.length + 1
  }
}

function lineOf(written: string, hasShift: boolean): { number: number; bytes: readonly number[] } | string | null {
  const line = written.trim()
  if (line === '') return null
  const digits = /^\d+/.exec(line)?.[0]
  if (digits === undefined) return `“${line.slice(0, 40)}” does not begin with a line number.`
  const number = Number(digits)
  if (number > MAX_LINE_NUMBER) return `Line numbers go up to ${MAX_LINE_NUMBER}, not ${digits.slice(0, 40)}.`
  const text = line.slice(digits.length).trimStart()
  if (text === '') return `Line ${digits} has no statement.`
  const bytes = crunch(text, hasShift)
  if (typeof bytes === 'string') return bytes
  return bytes.length > MAX_LINE_BYTES ? `Line ${digits} takes more than ${MAX_LINE_BYTES} bytes.` : { number, bytes }
}

/**
 * Crunches a line as BASIC does: no keywords within quotes, behind REM, or in DATA up to a colon. Stops when the line
 * is too long.
 */
function crunch(text: string, hasShift: boolean): readonly number[] | string {
  const bytes: number[] = []
  let isQuoted = false
  let asWritten: number | null = null
  for (let at = 0; at < text.length && bytes.length <= MAX_LINE_BYTES;) {
    const character = text[at] ?? ''
    if (character === '{') {
      const braced = text.slice(at, at + MAX_CODE_CHARS)
      const end = at + braced.indexOf('}')
      const codes = end < at ? null : controlCodes(text.slice(at + 1, end))
      if (codes === null)
        return `“${text.slice(at, end < at ? at + 20 : end + 1)}” is no control code, such as {clr}, {$93}, {down*3} or {CBM-A}.`
      bytes.push(...codes)
      at = end + 1
      continue
    }
    if (character === '"') isQuoted = !isQuoted
    if (character === ':' && asWritten === DATA && !isQuoted) asWritten = null
    const keyword: Keyword | null = isQuoted || asWritten !== null ? null : keywordAt(text, at)
    if (keyword) {
      bytes.push(keyword.token)
      if (keyword.token === REM || keyword.token === DATA) asWritten = keyword.token
      at += keyword.length
      continue
    }
    const whole = String.fromCodePoint(text.codePointAt(at) ?? 0)
    bytes.push(...(whole === 'π' ? [PI] : textToPetscii(hasShift ? whole : whole.toLowerCase())))
    at += whole.length
  }
  return bytes
}

interface Keyword {
  readonly token: number
  readonly length: number
}

function keywordAt(text: string, at: number): Keyword | null {
  if (text[at] === '?') return { token: PRINT, length: 1 }
  const rest = text
    .slice(at, at + 8)
    .toUpperCase()
    .replace('^', '↑')
  const index = keywords.findIndex((keyword) => rest.startsWith(keyword))
  return index < 0 ? null : { token: FIRST_TOKEN + index, length: keywords[index]?.length ?? 0 }
}
