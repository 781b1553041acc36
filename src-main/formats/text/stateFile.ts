import { fileFinding, quote, type Finding, type Repair } from '../finding'
import type { Severity, ValueSource } from '@shared/contract/orchestration'

export interface StateFile {
  readonly path: string
  /** Includes byte order mark and line ends. `null` when it could not be read as text; see `findings`. */
  readonly text: string | null
  /** Base64 of all bytes, where they are not UTF-8. */
  readonly bytes?: string
  /** ms since 1970. */
  readonly modifiedAt: number | null
  readonly findings: readonly Finding[]
}

const STRAY_BYTES = 'bytes that are not UTF-8'

export const isUnreadable = ({ rule, severity, found }: Finding): boolean =>
  severity === 'error' &&
  (rule.startsWith('file/') || rule === 'project/outside' || rule === 'project/size') &&
  found !== STRAY_BYTES

const BYTE_ORDER_MARK = '\uFEFF'

/** Invalid UTF-8 becomes U+FFFD and a finding; binary data has no text. */
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

/** A line ends with LF or CRLF. */
export class Lines {
  readonly starts: readonly number[]

  constructor(text: string) {
    const starts = [0]
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
    this.starts = starts
  }

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

export class StateText {
  readonly path: string
  readonly text: string
  readonly lines: Lines

  constructor(path: string, text: string) {
    this.path = path
    this.text = text
    this.lines = new Lines(text)
  }

  get start(): number {
    return this.text.startsWith(BYTE_ORDER_MARK) ? 1 : 0
  }

  line(offset: number): ValueSource {
    return { file: this.path, line: this.lines.place(offset).line }
  }

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
