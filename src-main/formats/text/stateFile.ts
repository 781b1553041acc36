import { fileFinding, quote, type Finding, type Repair } from '../finding'
import type { Severity, ValueSource } from '@shared/contract/orchestration'

/** A file of a run as it was read. */
export interface StateFile {
  /** Relative to the project, with `/`. */
  readonly path: string
  /** With its byte order mark and its line ends. `null` when it could not be read as text; `findings` says why. */
  readonly text: string | null
  /** All bytes in base64 where they are not UTF-8 text. */
  readonly bytes?: string
  /** ms since 1970. */
  readonly modifiedAt: number | null
  /** Of the file as such. */
  readonly findings: readonly Finding[]
}

const STRAY_BYTES = 'bytes that are not UTF-8'

/** Whether a file cannot be read, or not as a whole. A stray byte leaves the rest of a text readable. */
export const isUnreadable = ({ rule, severity, found }: Finding): boolean =>
  severity === 'error' &&
  (rule.startsWith('file/') || rule === 'project/outside' || rule === 'project/size') &&
  found !== STRAY_BYTES

const BYTE_ORDER_MARK = '\uFEFF'

/** Bytes as UTF-8 text. What is not UTF-8 becomes U+FFFD and a finding; what is no text at all has none. */
export function decodeStateFile(path: string, bytes: Uint8Array, modifiedAt: number | null): StateFile {
  const problem = (rule: string, severity: Severity, found: string, expected: string): Finding =>
    fileFinding(path, rule, severity, found, expected)
  const utf16 =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : undefined
  if (utf16 !== undefined) {
    return {
      path,
      text: null,
      modifiedAt,
      findings: [problem('file/encoding', 'error', `${utf16.toUpperCase()} text`, 'UTF-8')],
    }
  }
  if (bytes.includes(0))
    return { path, text: null, modifiedAt, findings: [problem('file/text', 'error', 'a zero byte', 'text')] }
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  const bad = text.indexOf('\uFFFD')
  if (bad < 0 || isValidUtf8(bytes)) return { path, text, modifiedAt, findings: [] }
  const { line, column } = new Lines(text).place(bad)
  return {
    path,
    text,
    modifiedAt,
    findings: [{ ...problem('file/encoding', 'error', STRAY_BYTES, 'UTF-8'), line, column }],
  }
}

function isValidUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/** Where the lines of a text start. A line ends with LF or CRLF. */
export class Lines {
  readonly starts: readonly number[]

  constructor(text: string) {
    const starts = [0]
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
    this.starts = starts
  }

  /** Both from 1. */
  place(offset: number): { line: number; column: number } {
    let low = 0
    let high = this.starts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((this.starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return { line: low + 1, column: offset - (this.starts[low] ?? 0) + 1 }
  }
}

/** A part of a text: from `start` up to, not including, `end`. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** The text of a state file, with its places. */
export class StateText {
  readonly path: string
  /** As in the file. */
  readonly text: string
  readonly lines: Lines

  constructor(path: string, text: string) {
    this.path = path
    this.text = text
    this.lines = new Lines(text)
  }

  /** Where the text starts behind its byte order mark. */
  get start(): number {
    return this.text.startsWith(BYTE_ORDER_MARK) ? 1 : 0
  }

  line(offset: number): ValueSource {
    return { file: this.path, line: this.lines.place(offset).line }
  }

  /** @param found the text at the place unless given */
  finding(
    span: Span,
    rule: string,
    severity: Severity,
    expected: string,
    { found = quote(this.text.slice(span.start, span.end)), repair }: { found?: string; repair?: Repair } = {},
  ): Finding {
    return {
      file: this.path,
      ...this.lines.place(span.start),
      rule,
      severity,
      found,
      expected,
      ...(repair ? { repair } : {}),
    }
  }
}
