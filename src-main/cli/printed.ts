import { styleText } from 'node:util'
import { terminalText } from './terminalText'
import { textWidth, wrapText } from './textWidth'

export type Tone = 'good' | 'notice' | 'bad' | 'muted'

interface Toned {
  readonly tone: Tone
  readonly text: string
}

export type Cell = string | Toned

interface Table {
  readonly rows: readonly (readonly Cell[])[]
}

export type Block = Cell | Table

export type Printed = Block | readonly Block[]

export const toned = (tone: Tone | undefined, text: string): Cell => (tone === undefined ? text : { tone, text })

export const table = (rows: Table['rows'], empty = ''): Block => (rows.length === 0 ? empty : { rows })

export interface Paper {
  readonly width: number
  readonly hasColours: boolean
}

const styles = { good: 'green', notice: 'yellow', bad: 'red', muted: 'dim' } as const satisfies Record<Tone, string>

/** Control characters are escaped. */
export function printedText(printed: Printed, paper: Paper): string {
  const blocks: readonly Block[] = isList(printed) ? printed : [printed]
  return blocks
    .flatMap((block) => {
      if (typeof block === 'object' && 'rows' in block) return tableLines(block.rows, paper)
      const text = textOf(block)
      return text === '' ? [] : [paint(block, terminalText(`${text}\n`).slice(0, -1), paper)]
    })
    .join('\n')
}

const isList = (printed: Printed): printed is readonly Block[] => Array.isArray(printed)

const textOf = (cell: Cell): string => (typeof cell === 'string' ? cell : cell.text)

const paint = (cell: Cell, text: string, { hasColours }: Paper): string =>
  typeof cell === 'string' || !hasColours ? text : styleText(styles[cell.tone], text, { validateStream: false })

const GAP = '  '
const MIN_COLUMN_WIDTH = 8

function tableLines(rows: Table['rows'], paper: Paper): string[] {
  const texts = rows.map((row) => row.map((cell) => terminalText(textOf(cell))))
  const widths = fittingWidths(
    (texts[0] ?? []).map((_, column) => Math.max(...texts.map((row) => textWidth(row[column] ?? '')))),
    paper.width,
  )
  return rows.flatMap((row, at) => {
    const wrapped = row.map((_, column) => wrapText(texts[at]?.[column] ?? '', widths[column] ?? Infinity))
    const height = Math.max(1, ...wrapped.map(({ length }) => length))
    return Array.from({ length: height }, (_, line) => tableLine(row, wrapped, line, widths, paper))
  })
}

function tableLine(
  row: readonly Cell[],
  wrapped: readonly (readonly string[])[],
  line: number,
  widths: readonly number[],
  paper: Paper,
): string {
  const last = wrapped.findLastIndex((lines) => (lines[line] ?? '') !== '')
  return row
    .slice(0, last + 1)
    .map((cell, column) => {
      const text = wrapped[column]?.[line] ?? ''
      const padding = column === last ? '' : ' '.repeat(Math.max(0, (widths[column] ?? 0) - textWidth(text)))
      return `${text === '' ? '' : paint(cell, text, paper)}${padding}`
    })
    .join(GAP)
}

function fittingWidths(natural: readonly number[], width: number): number[] {
  const room = width - GAP.length * (natural.length - 1)
  const widths = natural.map((wanted) => Math.min(wanted, Math.max(MIN_COLUMN_WIDTH, room)))
  let excess = widths.reduce((sum, wanted) => sum + wanted, 0) - room
  while (excess > 0) {
    const widest = Math.max(...widths)
    if (widest <= MIN_COLUMN_WIDTH) break
    widths[widths.lastIndexOf(widest)] = widest - 1
    excess--
  }
  return widths
}
