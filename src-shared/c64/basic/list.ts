import { petsciiToText } from '../petscii'
import { controlName } from './controlCodes'
import { DATA, FIRST_TOKEN, keywords, PI, REM } from './tokens'

const QUOTE = 0x22
const COLON = 0x3a
const MAX_LINES = 64_000

/**
 * As LIST prints it, with control codes in braces. It ends where a link leads nowhere, so that any memory can be read.
 */
export function listBasic(read: (address: number) => number, start: number): string[] {
  const word = (at: number): number => read(at) | (read(at + 1) << 8)
  const lines: string[] = []
  for (let at = start; lines.length < MAX_LINES;) {
    const next = word(at)
    if (next <= at || next > 0xffff) break
    lines.push(`${word(at + 2)} ${statementsAt(read, at + 4, next)}`)
    at = next
  }
  return lines
}

function statementsAt(read: (address: number) => number, from: number, end: number): string {
  let text = ''
  let isQuoted = false
  let asWritten: number | null = null
  for (let at = from; at < end; at++) {
    const byte = read(at)
    if (byte === 0) break
    if (byte === QUOTE) isQuoted = !isQuoted
    if (byte === COLON && asWritten === DATA && !isQuoted) asWritten = null
    const keyword = isQuoted || asWritten !== null ? undefined : keywords[byte - FIRST_TOKEN]
    if (keyword !== undefined) {
      text += keyword
      if (byte === REM || byte === DATA) asWritten = byte
    } else text += byte === PI ? 'π' : (petsciiToText(byte, 'upper') ?? `{${controlName(byte)}}`)
  }
  return text
}
