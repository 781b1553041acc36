/** INDEX.md is a copy that a model writes. */
import type { Fact, ValueSource } from '@shared/contract/orchestration'
import { unknown } from '../run'
import { field, type Located } from '../text/located'
import type { MarkdownFile } from './markdownFile'

export interface IndexRow {
  readonly value: string
  readonly source: ValueSource
}

interface Index {
  readonly index: MarkdownFile | undefined
  readonly indexTable: ReadonlyMap<string, IndexRow>
}

export const indexField = ({ index }: Pick<Index, 'index'>, name: string): Located | undefined =>
  field(index?.front.document.root, name)

export function indexFact<T>(
  state: Index,
  name: string,
  convert: (node: Located | undefined) => T | undefined,
): Fact<T> {
  const { index } = state
  const node = indexField(state, name)
  if (index && node) return index.front.document.fact(node, convert)
  const row = state.indexTable.get(tableNames[name] ?? name)
  if (!row) return unknown(index ? { file: index.text.path } : null)
  const scalar = (value: string): Located => ({ kind: 'scalar', value, written: value, pointer: '', start: 0, end: 0 })
  const value = convert(scalar(row.value)) ?? convert(scalar(row.value.replace(amount, '$1')))
  return { value: value ?? null, source: row.source, written: row.value }
}

/** `7/100`, `$2.31 / $30`: used and limit. */
const amount = /^\$?(\d+(?:\.\d+)?)(?:\s*(?:\/|of\s).*)?$/

const tableNames: Readonly<Record<string, string>> = {
  current_phase: 'phase',
  updated: 'last updated',
  current_iteration: 'iteration',
  cost_so_far: 'cost',
}

export function readTable({ lines, text }: MarkdownFile): Map<string, IndexRow> {
  const rows = new Map<string, IndexRow>()
  for (const line of lines) {
    if (line.kind !== 'text' || line.fenced) continue
    const [name, value] = cellsOf(line.text) ?? []
    if (name === undefined || value === undefined || /^:?-+:?$/.test(name) || isUnset(value)) continue
    if (!rows.has(name.toLowerCase()))
      rows.set(name.toLowerCase(), { value, source: { file: text.path, line: line.line } })
  }
  return rows
}

function cellsOf(line: string): readonly [string, string] | undefined {
  const [, item, text] = /^\s*(?:[-*+]\s+)?\*\*([^*:|]{1,40})(?::\*\*|\*\*:)\s*(\S.*)$/s.exec(line) ?? []
  if (item !== undefined && text !== undefined) return [item.trim(), text.trim()]
  if (!line.trimStart().startsWith('|')) return undefined
  const [name, value, ...more] = line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim().replaceAll('**', ''))
  return name === undefined || value === undefined || more.length > 0 ? undefined : [name, value]
}

const isUnset = (value: string): boolean => /^([-–—_?]*|n\/?a|none|unknown|tbd)$/i.test(value)
