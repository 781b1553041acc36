/**
 * The debug file of cc65’s linker (`--dbgfile`), version 2: a record on each line, its type, a tab, and `key=value` with
 * commas between. A line has spans, a span is a part of a segment; a `sym` of type `lab` is an address, `equ` a number that
 * may be one, `imp` stands for one of another module. Records refer to later ones. `info` counts them, its files each time that a
 * module has one. Tried with cc65 2.19.
 */
import { AppError } from '@shared/contract/errors'
import { LabelCollector, linesOf, type LabelFile } from './labelFile'

export const isCc65Debug = (text: string): boolean => /^version\tmajor=\d/.test(text)

/** The load address of the PRG, which is in its file alone. */
const HEADER_SEGMENT = 'LOADADDR'

type Fields = ReadonlyMap<string, string>

interface Placed<Value> {
  readonly fields: Value
  readonly where: string
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
  const records: Record<RecordKind, Placed<Fields>[]> = {
    file: [],
    line: [],
    seg: [],
    span: [],
    scope: [],
    sym: [],
    mod: [],
  }
  let counts: Fields = new Map()
  for (const [line, number] of linesOf(text)) {
    const tab = line.indexOf('\t')
    const kind = line.slice(0, tab)
    if (kind === 'info') counts = fieldsOf(line.slice(tab + 1))
    if (tab > 0 && isKind(kind)) records[kind].push({ fields: fieldsOf(line.slice(tab + 1)), where: `line ${number}` })
  }
  const segments = byId(records.seg)
  const spans = byId(records.span)
  const files = byId(records.file)
  const rangeOf = (id: string): { start: number; end: number } | undefined => {
    const span = spans.get(id)
    const segment = span && segments.get(span.get('seg') ?? '')
    if (!span || !segment) return undefined
    const start = number(segment.get('start')) + number(span.get('start'))
    return { start, end: start + number(span.get('size')) }
  }

  for (const { fields, where } of records.seg) {
    const [start, size] = [number(fields.get('start')), number(fields.get('size'))]
    const name = unquoted(fields.get('name')) ?? ''
    if (size !== 0 && name !== HEADER_SEGMENT) found.addSegment({ name, start, end: start + size }, where)
  }

  const scopeName = scopeNames(byId(records.scope))
  const symbols = byId(records.sym)
  /** A cheap local label is in no scope; it belongs to the label before it. */
  const scopeOf = (fields: Fields): string | null => {
    const parent = symbols.get(fields.get('parent') ?? '')
    if (!parent) return scopeName(fields.get('scope'))
    return [scopeName(parent.get('scope')), unquoted(parent.get('name'))].filter(Boolean).join('.')
  }
  for (const { fields, where } of records.sym) {
    const type = fields.get('type')
    if (type !== 'lab' && type !== 'equ') continue
    const name = unquoted(fields.get('name'))
    const value = number(fields.get('val'))
    // A constant may be any number.
    if (type === 'equ' && !(value >= 0 && value <= 0xffff)) continue
    const size = number(fields.get('size'))
    found.addLabel(
      {
        name: name ?? '',
        scope: scopeOf(fields),
        address: value,
        size: size > 0 && size <= 0x10000 ? size : null,
        kind: type === 'lab' ? kindOf(segments.get(fields.get('seg') ?? '')) : value < 0x100 ? 'constant' : 'label',
      },
      where,
    )
  }

  for (const { fields, where } of records.line) {
    const file = unquoted(files.get(fields.get('file') ?? '')?.get('name'))
    const at = number(fields.get('line'))
    // The compiler’s own lines have the number 0.
    if (at === 0) continue
    for (const id of fields.get('span')?.split('+') ?? []) {
      const range = rangeOf(id)
      if (file === undefined || range === undefined)
        found.skip(where, 'expected a file, spans and segments that are in the file')
      else if (range.end > range.start) found.addLine({ file, line: at, ...range }, where)
    }
  }
  for (const kind of kinds) {
    const expected = number(counts.get(kind))
    const count = records[kind].length
    if (kind !== 'file' && count < expected)
      found.skip('its end', `expected ${expected} records “${kind}”, not ${count}`)
  }
  return found.finish('cc65 debug file')
}

const kindOf = (segment: Fields | undefined): 'code' | 'data' | 'label' => {
  const name = unquoted(segment?.get('name')) ?? ''
  if (/CODE|STARTUP|ONCE|INIT$/i.test(name)) return 'code'
  return /DATA|BSS|ZEROPAGE/i.test(name) ? 'data' : 'label'
}

const MAX_SCOPE_DEPTH = 20

/** The full name of a scope: `_main.inner`; null for the scope of a file, which has no name. */
function scopeNames(scopes: ReadonlyMap<string, Fields>): (id: string | undefined) => string | null {
  const names = new Map<string, string | null>()
  return (id) => {
    if (id === undefined) return null
    const known = names.get(id)
    if (known !== undefined) return known
    const parts: string[] = []
    for (let at: string | undefined = id, depth = 0; at !== undefined && depth < MAX_SCOPE_DEPTH; depth++) {
      const scope = scopes.get(at)
      const name = unquoted(scope?.get('name'))
      if (name) parts.unshift(name)
      at = scope?.get('parent')
    }
    const name = parts.length === 0 ? null : parts.join('.')
    names.set(id, name)
    return name
  }
}

const byId = (records: readonly Placed<Fields>[]): ReadonlyMap<string, Fields> =>
  new Map(
    records.flatMap(({ fields }) => {
      const id = fields.get('id')
      return id === undefined ? [] : [[id, fields] as const]
    }),
  )

/** `id=0,name="a,b",size=3`: a comma within quotation marks separates nothing. */
function fieldsOf(text: string): Fields {
  const fields = new Map<string, string>()
  // Each field begins where the one before ended, so that a line takes linear time.
  const field = /(\w+)=("[^"]*"|[^,]*)(?:,|$)/y
  for (let found = field.exec(text); found !== null; found = field.exec(text))
    fields.set(found[1] ?? '', found[2] ?? '')
  return fields
}

const number = (text: string | undefined): number =>
  text === undefined || !/^(?:0x[0-9a-f]+|\d+)$/i.test(text) ? Number.NaN : Number(text)

const unquoted = (text: string | undefined): string | undefined => text?.replace(/^"(.*)"$/, '$1')
