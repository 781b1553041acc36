/**
 * Debug file of cc65's linker (`--dbgfile`), version 2: a record a line with type, tab and `key=value` separated by
 * commas. Lines have spans, spans are parts of segments; a `sym` of type `lab` is an address, `equ` a number that may
 * be one, `imp` refers to another module. Records may refer to later ones; `info` counts them. Tried with cc65 2.19.
 */
import { AppError } from '@shared/contract/errors'
import { LabelCollector, linesOf, type LabelFile } from './labelFile'

export const isCc65Debug = (text: string): boolean => /^version\tmajor=\d/.test(text)

/** The PRG's load address, which is only in its file. */
const HEADER_SEGMENT = 'LOADADDR'

/** Fields are read when they are asked for, as a large program has a million. */
type Fields = string

interface Placed {
  readonly fields: Fields
  readonly where: number
}

const kinds = ['file', 'line', 'seg', 'span', 'scope', 'sym', 'mod'] as const
type RecordKind = (typeof kinds)[number]
const isKind = (name: string): name is RecordKind => kinds.some((kind) => kind === name)

export function readCc65Debug(text: string): LabelFile {
  const found = new LabelCollector()
  const major = /^version\tmajor=(\d+)/.exec(text)?.[1]
  if (major !== '2')
    throw new AppError(
      'INVALID',
      `This cc65 debug file has version ${major ?? 'unknown'}; Bridgedeck reads version 2.`,
      {
        hint: 'Link the program with cc65 2.13 or later.',
      },
    )
  const records: Record<RecordKind, Placed[]> = {
    file: [],
    line: [],
    seg: [],
    span: [],
    scope: [],
    sym: [],
    mod: [],
  }
  let counts: Fields = ''
  for (const [line, number] of linesOf(text)) {
    const tab = line.indexOf('\t')
    const kind = line.slice(0, tab)
    if (kind === 'info') counts = line.slice(tab + 1)
    if (tab > 0 && isKind(kind)) records[kind].push({ fields: line.slice(tab + 1), where: number })
  }
  const segments = byId(records.seg)
  const spans = byId(records.span)
  const files = new Map([...byId(records.file)].map(([id, fields]) => [id, unquoted(fieldOf(fields, 'name'))]))
  const rangeOf = (id: string): { start: number; end: number } | undefined => {
    const span = spans.get(id)
    const segment = span && segments.get(fieldOf(span, 'seg') ?? '')
    if (!span || !segment) return undefined
    const start = number(fieldOf(segment, 'start')) + number(fieldOf(span, 'start'))
    return { start, end: start + number(fieldOf(span, 'size')) }
  }

  for (const { fields, where } of records.seg) {
    const [start, size] = [number(fieldOf(fields, 'start')), number(fieldOf(fields, 'size'))]
    const name = unquoted(fieldOf(fields, 'name')) ?? ''
    if (size !== 0 && name !== HEADER_SEGMENT) found.addSegment({ name, start, end: start + size }, where)
  }

  const scopeName = scopeNames(byId(records.scope))
  const symbols = byId(records.sym.some(({ fields }) => fields.includes(',parent=')) ? records.sym : [])
  /** A cheap local label has no scope; it belongs to the label before it. */
  const scopeOf = (fields: Fields): string | null => {
    const parent = symbols.get(fieldOf(fields, 'parent') ?? '')
    if (!parent) return scopeName(fieldOf(fields, 'scope'))
    return [scopeName(fieldOf(parent, 'scope')), unquoted(fieldOf(parent, 'name'))].filter(Boolean).join('.')
  }
  for (const { fields, where } of records.sym) {
    const type = fieldOf(fields, 'type')
    if (type !== 'lab' && type !== 'equ') continue
    const name = unquoted(fieldOf(fields, 'name'))
    const value = number(fieldOf(fields, 'val'))
    // A constant may be any number.
    if (type === 'equ' && !(value >= 0 && value <= 0xffff)) continue
    const size = number(fieldOf(fields, 'size'))
    found.addLabel(
      {
        name: name ?? '',
        scope: scopeOf(fields),
        address: value,
        size: size > 0 && size <= 0x10000 ? size : null,
        kind:
          type === 'lab' ? kindOf(segments.get(fieldOf(fields, 'seg') ?? '')) : value < 0x100 ? 'constant' : 'label',
      },
      where,
    )
  }

  for (const { fields, where } of records.line) {
    const file = files.get(fieldOf(fields, 'file') ?? '')
    const at = number(fieldOf(fields, 'line'))
    // The compiler's own lines have the number 0.
    if (at === 0) continue
    for (const id of fieldOf(fields, 'span')?.split('+') ?? []) {
      const range = rangeOf(id)
      if (file === undefined || range === undefined)
        found.skip(where, 'expected a file, spans and segments that are in the file')
      else if (range.end > range.start) found.addLine({ file, line: at, ...range }, where)
    }
  }
  for (const kind of kinds) {
    const expected = number(fieldOf(counts, kind))
    const count = records[kind].length
    if (kind !== 'file' && count < expected)
      found.skip('its end', `expected ${expected} records “${kind}”, not ${count}`)
  }
  return found.finish('cc65 debug file')
}

const kindOf = (segment: Fields | undefined): 'code' | 'data' | 'label' => {
  const name = unquoted(fieldOf(segment, 'name')) ?? ''
  if (/CODE|STARTUP|ONCE|INIT$/i.test(name)) return 'code'
  return /DATA|BSS|ZEROPAGE/i.test(name) ? 'data' : 'label'
}

const MAX_SCOPE_DEPTH = 20

/** `_main.inner`; null for the scope of a file, which has no name. */
function scopeNames(scopes: ReadonlyMap<string, Fields>): (id: string | undefined) => string | null {
  const names = new Map<string, string | null>()
  return (id) => {
    if (id === undefined) return null
    const known = names.get(id)
    if (known !== undefined) return known
    const parts: string[] = []
    for (let at: string | undefined = id, depth = 0; at !== undefined && depth < MAX_SCOPE_DEPTH; depth++) {
      const scope = scopes.get(at)
      const name = unquoted(fieldOf(scope, 'name'))
      if (name) parts.unshift(name)
      at = fieldOf(scope, 'parent')
    }
    const name = parts.length === 0 ? null : parts.join('.')
    names.set(id, name)
    return name
  }
}

function byId(records: readonly Placed[]): ReadonlyMap<string, Fields> {
  const found = new Map<string, Fields>()
  for (const { fields } of records) {
    const id = fieldOf(fields, 'id')
    if (id !== undefined) found.set(id, fields)
  }
  return found
}

/** Of `id=0,name="a,b",size=3`: a comma within quotation marks separates nothing. */
function fieldOf(fields: Fields | undefined, wanted: string): string | undefined {
  if (fields === undefined) return undefined
  for (let at = 0; at < fields.length;) {
    const equals = fields.indexOf('=', at)
    if (equals < 0) return undefined
    const quote = fields[equals + 1] === '"' ? fields.indexOf('"', equals + 2) : -1
    const comma = fields.indexOf(',', Math.max(equals, quote) + 1)
    const end = comma < 0 ? fields.length : comma
    if (equals - at === wanted.length && fields.startsWith(wanted, at)) return fields.slice(equals + 1, end)
    at = end + 1
  }
  return undefined
}

const number = (text: string | undefined): number =>
  text === undefined || !/^(?:0x[0-9a-f]+|\d+)$/i.test(text) ? Number.NaN : Number(text)

const unquoted = (text: string | undefined): string | undefined =>
  text?.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text
