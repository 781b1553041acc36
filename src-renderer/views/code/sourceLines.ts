import { formatAddress, formatRange } from '@shared/c64/address'
import type { LabelledCheckpoint } from '@shared/contract/checkpoints'
import type { SourceCode } from '@shared/contract/labels'
import type { SourceName } from '@shared/contract/sourceLine'

export interface SourceRow {
  /** From 1. */
  readonly number: number
  readonly text: string
  /** By address; the ends are exclusive. */
  readonly code: readonly SourceCode[]
}

const MAX_LINE_CHARACTERS = 2_000

export function sourceRows(text: string, code: readonly SourceCode[]): SourceRow[] {
  const byLine = new Map<number, SourceCode[]>()
  for (const each of code) byLine.set(each.line, [...(byLine.get(each.line) ?? []), each])
  const lines = text.split('\n')
  if (lines.length > 1 && lines.at(-1) === '') lines.pop()
  return lines.map((line, index) => ({
    number: index + 1,
    text:
      line.length > MAX_LINE_CHARACTERS ? `${line.slice(0, MAX_LINE_CHARACTERS)}… (${line.length} characters)` : line,
    code: byLine.get(index + 1) ?? [],
  }))
}

export const stopsAt = ({ code }: SourceRow, { start, end, operations }: LabelledCheckpoint): boolean =>
  start === end && operations.includes('exec') && code.some((each) => each.start === start)

export const isAt = (row: SourceRow, checkpoint: LabelledCheckpoint, source: SourceName | null): boolean => {
  const { line, unbound } = checkpoint
  if (unbound === null) return stopsAt(row, checkpoint)
  return line?.line === row.number && line.file === source?.file && line.debugFile === source.debugFile
}

export function codeText({ number, code }: SourceRow): string {
  const [first, ...others] = code
  if (!first) return `Line ${number} has no code`
  const more = others.length === 0 ? '' : `, and ${others.length} more from ${formatAddress(others[0]?.start ?? 0)}`
  return `Line ${number}: ${formatRange(first)}${more}`
}
