/** BASIC text to a program as the C64 keeps it. */
import { textToPetscii } from '../petscii'
import type { SourceProblem } from '../assembly/assembleSource'
import { controlCode } from './controlCodes'
import { DATA, FIRST_TOKEN, keywords, PI, PRINT, REM } from './tokens'

export const BASIC_START = 0x0801
/** As BASIC accepts it when it is typed. */
const MAX_LINE_NUMBER = 63_999
/** With link, number and end, BASIC counts within a line in eight bits. */
const MAX_LINE_BYTES = 250
const MAX_PROBLEMS = 20
const MEMORY_END = 0xa000

export type TokenisedProgram =
  | { readonly ok: true; readonly prg: Uint8Array<ArrayBuffer>; readonly lines: number }
  | { readonly ok: false; readonly problems: readonly SourceProblem[] }

/**
 * Each line begins with its number; the last of two with the same number counts, as when they are typed. Letters of both cases are
 * the key alone, `{clr}`, `{$93}` and `{147}` a control code. Its problems are told by the line of the text, from 1.
 */
export function tokenise(text: string): TokenisedProgram {
  const problems: SourceProblem[] = []
  const lines = new Map<number, readonly number[]>()
  for (const [index, written] of text.split(/\r\n|\r|\n/).entries()) {
    if (written.trim() === '') continue
    const read = lineOf(written)
    if (typeof read === 'string') problems.push({ line: index + 1, message: read })
    else lines.set(read.number, read.bytes)
  }
  if (lines.size === 0 && problems.length === 0) problems.push({ line: 1, message: 'There is no line of BASIC.' })
  if (problems.length > 0) return { ok: false, problems: problems.slice(0, MAX_PROBLEMS) }
  const bytes: number[] = []
  for (const [number, line] of [...lines].toSorted(([a], [b]) => a - b)) {
    const next = BASIC_START + bytes.length + line.length + 5
    bytes.push(next & 0xff, next >> 8, number & 0xff, number >> 8, ...line, 0)
  }
  bytes.push(0, 0)
  if (BASIC_START + bytes.length > MEMORY_END)
    return {
      ok: false,
      problems: [{ line: 1, message: `The program is ${bytes.length} bytes long; BASIC has room for 38911.` }],
    }
  return { ok: true, prg: Uint8Array.from([BASIC_START & 0xff, BASIC_START >> 8, ...bytes]), lines: lines.size }
}

/** @returns a sentence for a line that is none */
function lineOf(written: string): { number: number; bytes: readonly number[] } | string {
  const [, digits, text = ''] = /^\s*(\d+)\s*(.*?)\s*$/.exec(written) ?? []
  if (digits === undefined) return `“${written.trim().slice(0, 40)}” does not begin with a line number.`
  const number = Number(digits)
  if (number > MAX_LINE_NUMBER) return `Line numbers go up to ${MAX_LINE_NUMBER}, not ${digits}.`
  if (text === '') return `Line ${digits} has no statement.`
  const bytes = crunch(text)
  if (typeof bytes === 'string') return bytes
  return bytes.length > MAX_LINE_BYTES
    ? `Line ${digits} takes ${bytes.length} bytes; ${MAX_LINE_BYTES} fit.`
    : { number, bytes }
}

/** As BASIC crunches a line: no keywords within quotes, nor behind REM, nor in DATA up to a colon. */
function crunch(text: string): readonly number[] | string {
  const bytes: number[] = []
  let isQuoted = false
  let asWritten: number | null = null
  for (let at = 0; at < text.length;) {
    const character = text[at] ?? ''
    if (character === '{') {
      const end = text.indexOf('}', at)
      const code = end < 0 ? null : controlCode(text.slice(at + 1, end))
      if (code === null)
        return `“${text.slice(at, end < 0 ? at + 20 : end + 1)}” is no control code: {clr}, {$93} or {147}.`
      bytes.push(code)
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
    bytes.push(...(whole === 'π' ? [PI] : textToPetscii(whole.toLowerCase())))
    at += whole.length
  }
  return bytes
}

interface Keyword {
  readonly token: number
  /** As written. */
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
