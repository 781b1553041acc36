import { AppError } from '@shared/contract/errors'
import { printInLine, type Json } from '@shared/json'
import type { TextEdit } from '../finding'
import { at, type Located, type LocatedDocument, type Scalar } from './located'
import { parseLocatedYaml } from './locatedYaml'
import { StateText, type Span } from './stateFile'

export type Path = readonly (string | number)[]

export const replaceSpan = ({ start, end }: Span, text: string): TextEdit => ({
  offset: start,
  length: end - start,
  text,
})

export function pathTo(document: LocatedDocument, { pointer }: Located): Path {
  const path: (string | number)[] = []
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    path.push(at(document.root, ...path)?.kind === 'list' ? Number(name) : name)
  }
  return path
}

/** A list is extended at the index of its length; `undefined` removes the value. Indents as the file does. */
export function spliceJson(document: LocatedDocument, path: Path, value: Json | undefined): TextEdit[] {
  const root = document.root
  if (!root) throw notThere(document, path)
  const node = at(root, ...path)
  if (node?.kind === 'scalar' && value !== undefined && (typeof value !== 'object' || value === null)) {
    const print = JSON.stringify(value)
    return node.written === print ? [] : [replaceSpan(node, print)]
  }
  const inline = spliceInLine(document, path, value)
  if (inline) return [inline]
  const edit =
    value === undefined
      ? removeJson(document, path)
      : node
        ? replaceSpan(node, printJson(document, value, indentationAt(document, node.start)))
        : addJson(document, path, value)
  return edit ? [edit] : []
}

function addJson(document: LocatedDocument, path: Path, value: Json): TextEdit {
  const { text } = document.text
  const depth = path.findIndex((_, index) => !at(document.root, ...path.slice(0, index + 1)))
  const parent = at(document.root, ...path.slice(0, depth))
  const [step, ...rest] = path.slice(depth)
  const isPlace =
    parent?.kind === 'map' ? typeof step === 'string' : parent?.kind === 'list' && step === parent.items.length
  if (!parent || parent.kind === 'scalar' || !isPlace || !rest.every((key) => typeof key === 'string'))
    throw notThere(document, path)
  const added = rest.reduceRight<Json>((inner, key) => ({ [key]: inner }), value)
  const last = parent.kind === 'list' ? parent.items.at(-1) : [...parent.fields.values()].at(-1)?.value
  const isInLine = !text.slice(parent.start, parent.end).includes('\n') && (last !== undefined || !text.includes('\n'))
  const key = parent.kind === 'map' ? `${JSON.stringify(step)}:${isInLine && !text.includes('": ') ? '' : ' '}` : ''
  if (isInLine) {
    const printed = key + (text.includes('": ') ? printInLine(added) : JSON.stringify(added))
    return last
      ? { offset: last.end, length: 0, text: `,${text.includes(', "') ? ' ' : ''}${printed}` }
      : { offset: parent.start + 1, length: parent.end - parent.start - 2, text: printed }
  }
  const outer = indentationAt(document, parent.start)
  const first = parent.kind === 'list' ? parent.items[0]?.start : [...parent.fields.values()][0]?.key.start
  const indentation =
    first === undefined || !isFirstOfLine(text, first) ? outer + unitOf(document) : indentationAt(document, first)
  const printed = newlineOf(text) + indentation + key + printJson(document, added, indentation)
  return last
    ? { offset: last.end, length: 0, text: `,${printed}` }
    : { offset: parent.start + 1, length: parent.end - parent.start - 2, text: printed + newlineOf(text) + outer }
}

function removeJson(document: LocatedDocument, path: Path): TextEdit | undefined {
  const node = at(document.root, ...path)
  const parent = at(document.root, ...path.slice(0, -1))
  if (!node) return undefined
  if (path.length === 0 || !parent || parent.kind === 'scalar') throw notThere(document, path)
  const spans =
    parent.kind === 'list'
      ? parent.items
      : [...parent.fields.values()].map(({ key, value }) => ({ start: key.start, end: value.end }))
  const index = spans.findIndex(({ end }) => end === node.end)
  const [before, own, behind] = [spans[index - 1], spans[index], spans[index + 1]]
  if (!own) throw notThere(document, path)
  const { start, end } = before
    ? { start: before.end, end: own.end }
    : behind
      ? { start: own.start, end: behind.start }
      : { start: parent.start + 1, end: parent.end - 1 }
  return { offset: start, length: end - start, text: '' }
}

function printJson(document: LocatedDocument, value: Json, indentation: string): string {
  const { text } = document.text
  return text.includes('\n')
    ? JSON.stringify(value, null, unitOf(document)).replaceAll('\n', newlineOf(text) + indentation)
    : JSON.stringify(value)
}

const unitOf = ({ text: { text } }: LocatedDocument): string => {
  const written = /\n([ \t]+)"/.exec(text)?.[1] ?? '  '
  return written.startsWith('\t') ? '\t' : written
}

function indentationAt({ text: { text } }: LocatedDocument, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset))?.[0] ?? ''
}

const isFirstOfLine = (text: string, offset: number): boolean =>
  text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset).trim() === ''

function spliceInLine(document: LocatedDocument, path: Path, value: Json | undefined): TextEdit | undefined {
  if (value === undefined) return undefined
  const isInLine = (node: Located) => !document.text.text.slice(node.start, node.end).includes('\n')
  const node = at(document.root, ...path)
  if (node) return isInLine(node) && path.length > 0 ? replaceSpan(node, printInLine(value)) : undefined
  const list = at(document.root, ...path.slice(0, -1))
  if (list?.kind !== 'list' || !isInLine(list) || path.at(-1) !== list.items.length) return undefined
  const last = list.items.at(-1)
  if (!last && typeof value === 'object' && value !== null) return undefined
  return last
    ? { offset: last.end, length: 0, text: `, ${printInLine(value)}` }
    : replaceSpan(list, `[${printInLine(value)}]`)
}

export type Entry = Readonly<Record<string, Scalar>>
export const isEntry = (value: Scalar | readonly string[] | Entry): value is Entry =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Keeps present quotes. A new value is added below the last field of its map, with missing maps; `undefined` removes
 * its lines. An entry is only added: to a map under a new name, or at a list's end. Only block maps and empty ones take
 * new fields. A number keeps its written decimals.
 */
export function spliceYaml(
  document: LocatedDocument,
  path: Path,
  value: Scalar | readonly string[] | Entry | undefined,
): TextEdit[] {
  const node = at(document.root, ...path)
  if (value === undefined) return node ? [removeField(document, path)] : []
  if (isEntry(value)) return [addEntry(document, path, value)]
  if (typeof value === 'object' && value !== null)
    return node ? [replaceTexts(document, path, node, value)] : [addField(document, path, printTexts(value))]
  if (node) {
    if (node.kind !== 'scalar') throw notThere(document, path)
    const text = printScalar(value, node.written)
    if (text === node.written) return []
    return [replaceSpan(node, gapBefore(document, node) + text)]
  }
  return [addField(document, path, printScalar(value, ''))]
}

const gapBefore = ({ text: { text } }: LocatedDocument, node: Span): string =>
  node.start === node.end && !/\s/.test(text[node.start - 1] ?? ' ') ? ' ' : ''

const printTexts = (values: readonly string[]): string => `[${values.map((value) => JSON.stringify(value)).join(', ')}]`

function replaceTexts(document: LocatedDocument, path: Path, node: Located, values: readonly string[]): TextEdit {
  const { text } = document.text
  if (node.kind === 'scalar' || (node.kind === 'list' && text[node.start] === '['))
    return replaceSpan(node, gapBefore(document, node) + printTexts(values))
  const parent = at(document.root, ...path.slice(0, -1))
  const key = parent?.kind === 'map' ? parent.fields.get(String(path.at(-1)))?.key : undefined
  if (node.kind !== 'list' || !key) throw notThere(document, path)
  const end = contentEnd(text, node)
  if (values.length === 0) return replaceSpan({ start: text.indexOf(':', key.end) + 1, end }, ' []')
  const separator = `${newlineOf(text)}${' '.repeat(columnOf(document, node.start))}`
  return replaceSpan({ start: node.start, end }, values.map((value) => `- ${printScalar(value, '')}`).join(separator))
}

function addEntry(document: LocatedDocument, path: Path, entry: Entry): TextEdit {
  const { text } = document.text
  const name = path.at(-1)
  const parent = at(document.root, ...path.slice(0, -1))
  if (!parent) return addField(document, path.slice(0, -1), inFlow(name, entry))
  const isPlace =
    parent.kind === 'list' ? name === parent.items.length : parent.kind === 'map' && typeof name === 'string'
  if (!isPlace || at(document.root, ...path)) throw notThere(document, path)
  const lines = (column: number): string =>
    newlineOf(text) + entryLines(name, entry, ' '.repeat(column)).join(newlineOf(text))
  if (text[parent.start] !== '[' && text[parent.start] !== '{') {
    const end = lineEnd(text, contentEnd(text, parent)).start
    return { offset: end, length: 0, text: lines(columnOf(document, parent.start)) }
  }
  const outer = at(document.root, ...path.slice(0, -2))
  const own = outer?.kind === 'map' ? outer.fields.get(String(path.at(-2)))?.key : undefined
  const isEmpty = text.slice(parent.start + 1, parent.end - 1).trim() === ''
  if (isEmpty && outer && own && text[outer.start] !== '{')
    return replaceSpan(
      { start: text.indexOf(':', own.end) + 1, end: parent.end },
      lines(columnOf(document, own.start) + 2),
    )
  const printed = inFlow(name, entry).slice(1, -1)
  return isEmpty
    ? replaceSpan({ start: parent.start + 1, end: parent.end - 1 }, printed)
    : { offset: text.slice(0, parent.end - 1).trimEnd().length, length: 0, text: `, ${printed}` }
}

const entryLines = (name: string | number | undefined, entry: Entry, indentation: string): string[] => {
  const fields = Object.entries(entry).map(([key, value]) => `${printKey(key)}: ${printScalar(value, '"')}`)
  return typeof name === 'string'
    ? [`${indentation}${printKey(name)}:`, ...fields.map((line) => `${indentation}  ${line}`)]
    : fields.map((line, index) => `${indentation}${index === 0 ? '- ' : '  '}${line}`)
}

const inFlow = (name: string | number | undefined, entry: Entry): string =>
  printInLine(typeof name === 'string' ? { [name]: { ...entry } } : [{ ...entry }])

function addField(document: LocatedDocument, path: Path, printed: string): TextEdit {
  const { text } = document.text
  const depth = path.findIndex((_, index) => !at(document.root, ...path.slice(0, index + 1)))
  const parent = at(document.root, ...path.slice(0, depth))
  const keys = path.slice(depth)
  if (parent?.kind !== 'map' || !keys.every((key) => typeof key === 'string') || text[parent.start] === '{')
    throw notThere(document, path)
  const last = [...parent.fields.values()].at(-1)
  if (!last) throw notThere(document, path)
  const column = columnOf(document, last.key.start)
  const end = lineEnd(text, contentEnd(text, last.value))
  const newline = text.slice(end.start, end.end) || newlineOf(text)
  const lines = keys.map((key, index) => `${newline}${' '.repeat(column + 2 * index)}${printKey(key)}:`)
  return { offset: end.start, length: 0, text: `${lines.join('')} ${printed}` }
}

function removeField(document: LocatedDocument, path: Path): TextEdit {
  const { text } = document.text
  const parent = at(document.root, ...path.slice(0, -1))
  const entry = parent?.kind === 'map' ? parent.fields.get(String(path.at(-1))) : undefined
  if (!entry || parent?.kind !== 'map' || text[parent.start] === '{') throw notThere(document, path)
  const start = text.lastIndexOf('\n', entry.key.start - 1) + 1
  if (text.slice(start, entry.key.start).trim() !== '') throw notThere(document, path)
  return { offset: start, length: lineEnd(text, contentEnd(text, entry.value)).end - start, text: '' }
}

/** The YAML parser's range of a list or map reaches to what follows; the content ends at the last value. */
function contentEnd(text: string, node: Located): number {
  return node.start + text.slice(node.start, node.end).trimEnd().length
}

function lineEnd(text: string, offset: number): Span {
  const newline = text.indexOf('\n', offset)
  if (newline < 0) return { start: text.length, end: text.length }
  return { start: text[newline - 1] === '\r' && newline > offset ? newline - 1 : newline, end: newline + 1 }
}

export const newlineOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n')

const columnOf = (document: LocatedDocument, offset: number): number => document.text.lines.place(offset).column - 1

const printKey = (key: string): string => (/^[A-Za-z_][\w-]*$/.test(key) ? key : JSON.stringify(key))

/** Keeps the quotes. Without quotes only when it reads back as the same value. */
function printScalar(value: Scalar, written: string): string {
  if (typeof value === 'number') {
    const fixed = value.toFixed(Math.min(100, /^-?\d+\.(\d+)$/.exec(written)?.[1]?.length ?? 0))
    return Number(fixed) === value ? fixed : String(value)
  }
  if (typeof value !== 'string') return String(value)
  if (written.startsWith('"')) return JSON.stringify(value)
  if (written.startsWith("'") && !/[\n\r]/.test(value)) return `'${value.replaceAll("'", "''")}'`
  return readsBackAs(value) ? value : JSON.stringify(value)
}

function readsBackAs(value: string): boolean {
  if (value === '' || /[\n\r#]/.test(value) || value !== value.trim()) return false
  const source = `key: ${value}\n`
  const { root, findings } = parseLocatedYaml(new StateText('', source))
  const read = root?.kind === 'map' && root.fields.size === 1 ? root.fields.get('key')?.value : undefined
  return findings.length === 0 && read?.kind === 'scalar' && read.value === value
}

const notThere = (document: LocatedDocument, path: Path): AppError =>
  new AppError(
    'INVALID',
    `Cannot change ${path.join('.')} in ${document.file}: Bridgedeck cannot edit the way it is written.`,
    {
      hint: 'Change it in an editor.',
    },
  )
