import { inertText, MAX_SHOWN_LINE_BYTES, type LogFile } from './logFile'

const MAX_CALL_BYTES = { text: 64 * 1024 * 1024, expression: 4 * 1024 * 1024 }
const PIECE_BYTES = { text: 1024 * 1024, expression: 128 * 1024 }
const NEWLINE = 0x0a

export interface LogSearch {
  readonly find: string
  readonly as: 'text' | 'expression'
  readonly ignoreCase: boolean
  readonly from: number
}

export interface ExpressionMatcher {
  /** @throws AppError INVALID for no valid expression, TIMEOUT when it takes too long */
  match(pattern: string, flags: string, text: string): Promise<{ readonly index: number; readonly text: string } | null>
}

export interface FoundLines {
  readonly found: { readonly line: number; readonly text: string }[]
  /** Offset to continue at, null at the end. */
  readonly next: number | null
  readonly size: number
}

export async function searchLog(
  log: LogFile,
  { find, as, ignoreCase, from }: LogSearch,
  regex: ExpressionMatcher,
  maxLines: number,
  signal?: AbortSignal,
): Promise<FoundLines> {
  const size = await log.size()
  const isPlain = as === 'text' && !ignoreCase
  const budget = isPlain ? MAX_CALL_BYTES.text : MAX_CALL_BYTES.expression
  const end = Math.min(size, from + budget)
  const found: FoundLines['found'] = []
  let at = from
  while (at < end && found.length < maxLines && signal?.aborted !== true) {
    await countTo(log, Math.min(size, at + PIECE_BYTES.text))
    const bytes = await log.bytes(at, Math.min(isPlain ? PIECE_BYTES.text : PIECE_BYTES.expression, size - at))
    if (bytes.length === 0) break
    const newline = bytes.lastIndexOf(NEWLINE)
    const piece = newline < 0 ? bytes : bytes.subarray(0, newline + 1)
    const hits = isPlain
      ? hitsOfText(piece, find, maxLines - found.length)
      : await hitsOfExpression(piece, as === 'text' ? escaped(find) : find, ignoreCase, regex, maxLines - found.length)
    for (const { offset, line } of hits.lines) {
      const number = await log.lineOf(at + offset)
      // A long line may be found in several of its pieces.
      if (found.at(-1)?.line !== number)
        found.push({ line: number, text: inertText(line.subarray(0, MAX_SHOWN_LINE_BYTES).toString('utf8')) })
    }
    at += hits.searched
  }
  return { found, next: at < size ? at : null, size }
}

async function countTo(log: LogFile, offset: number): Promise<void> {
  while (log.counted < offset && !(await log.catchUp(offset - log.counted)));
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

interface Hits {
  readonly lines: { readonly offset: number; readonly line: Buffer }[]
  readonly searched: number
}

function hitsOfText(piece: Buffer, find: string, maxLines: number): Hits {
  const needle = Buffer.from(find, 'utf8')
  const lines: Hits['lines'] = []
  let from = 0
  for (let hit = piece.indexOf(needle, from); hit >= 0; hit = piece.indexOf(needle, from)) {
    const { start, end } = lineAround(piece, hit)
    lines.push({ offset: start, line: piece.subarray(start, end) })
    from = end + 1
    if (lines.length === maxLines) return { lines, searched: Math.min(from, piece.length) }
  }
  return { lines, searched: piece.length }
}

async function hitsOfExpression(
  piece: Buffer,
  find: string,
  ignoreCase: boolean,
  regex: ExpressionMatcher,
  maxLines: number,
): Promise<Hits> {
  const lines: Hits['lines'] = []
  let from = 0
  while (from < piece.length) {
    const text = piece.subarray(from).toString('utf8')
    const match = await regex.match(find, ignoreCase ? 'im' : 'm', text)
    if (!match) break
    let start = from
    for (let at = text.indexOf('\n'); at >= 0 && at < match.index; at = text.indexOf('\n', at + 1))
      start = piece.indexOf(NEWLINE, start) + 1
    const { end } = lineAround(piece, start)
    lines.push({ offset: start, line: piece.subarray(start, end) })
    from = end + 1
    if (lines.length === maxLines) return { lines, searched: Math.min(from, piece.length) }
  }
  return { lines, searched: piece.length }
}

function lineAround(piece: Buffer, hit: number): { start: number; end: number } {
  const start = hit === 0 ? 0 : piece.lastIndexOf(NEWLINE, hit - 1) + 1
  const end = piece.indexOf(NEWLINE, hit)
  return { start, end: end < 0 ? piece.length : end }
}
