import type { ScreenCheck } from './planSchema'

export interface Mismatch {
  readonly message: string
  readonly expected: string
  readonly found: string
}

const ROWS = 25
const AROUND = 1

export function compareScreen(rows: readonly string[], check: ScreenCheck): Mismatch | null {
  const shown = rows.map((row) => row.trimEnd())
  if ('contains' in check && check.contains) return containing(shown, check.contains)
  if ('lacks' in check && check.lacks) return lacking(shown, check.lacks)
  if ('rows' in check && check.rows)
    return differing(shown, new Map(Object.entries(check.rows).map(([row, text]) => [Number(row), text.trimEnd()])))
  if ('equals' in check && check.equals !== undefined) return equalling(shown, check.equals)
  return null
}

function containing(shown: readonly string[], wanted: readonly string[]): Mismatch | null {
  const screen = shown.join('\n')
  const missing = wanted.filter((text) => !screen.includes(text))
  if (missing.length === 0) return null
  const cased = missing.filter((text) => screen.toLowerCase().includes(text.toLowerCase()))
  const hint = cased.length === missing.length ? ' Only capital and small letters differ.' : ''
  return {
    message: `The screen does not show ${missing.map(quoted).join(', ')}.${hint}`,
    expected: missing.join('\n'),
    found: numbered(shown),
  }
}

function lacking(shown: readonly string[], unwanted: readonly string[]): Mismatch | null {
  const screen = shown.join('\n')
  const there = unwanted.filter((text) => screen.includes(text))
  if (there.length === 0) return null
  return {
    message: `The screen shows ${there.map(quoted).join(', ')}.`,
    expected: there.map((text) => `no ${quoted(text)}`).join('\n'),
    found: numbered(shown),
  }
}

function equalling(shown: readonly string[], text: string): Mismatch | null {
  const wanted = text.replaceAll('\r', '').replace(/\n+$/, '').split('\n')
  if (wanted.length > ROWS)
    return {
      message: `The screen has ${ROWS} rows, and ${wanted.length} are expected.`,
      expected: `${wanted.length} rows`,
      found: `${ROWS} rows`,
    }
  return differing(shown, new Map(Array.from({ length: ROWS }, (_, row) => [row, (wanted[row] ?? '').trimEnd()])))
}

function differing(shown: readonly string[], wanted: ReadonlyMap<number, string>): Mismatch | null {
  const rows = [...wanted].filter(([row, text]) => (shown[row] ?? '') !== text).map(([row]) => row)
  if (rows.length === 0) return null
  const near = new Set(rows.flatMap((row) => Array.from({ length: 2 * AROUND + 1 }, (_, at) => row - AROUND + at)))
  const lines = [...near].filter((row) => row >= 0 && row < ROWS).toSorted((a, b) => a - b)
  const side = (textOf: (row: number) => string) =>
    lines
      .map((row, index) => {
        const gap = index > 0 && row !== (lines[index - 1] ?? 0) + 1 ? '   …\n' : ''
        return `${gap}${rows.includes(row) ? '>' : ' '}${rowText(row, textOf(row))}`
      })
      .join('\n')
  return {
    message: `${rows.length === 1 ? `Row ${rows[0]} differs` : `Rows ${rows.join(', ')} differ`}.`,
    expected: side((row) => wanted.get(row) ?? shown[row] ?? ''),
    found: side((row) => shown[row] ?? ''),
  }
}

const quoted = (text: string): string => `“${text.length > 100 ? `${text.slice(0, 100)}…` : text}”`
const rowText = (row: number, text: string): string => `${String(row).padStart(2)} ${text}`.trimEnd()

const numbered = (shown: readonly string[]): string =>
  shown.flatMap((text, row) => (text === '' ? [] : [rowText(row, text)])).join('\n') || '(an empty screen)'
