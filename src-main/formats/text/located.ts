import { quote, type Finding, type Repair } from '../finding'
import type { Fact, Severity, ValueSource } from '@shared/contract/orchestration'
import type { Span, StateText } from './stateFile'

export type Scalar = string | number | boolean | null

interface Place extends Span {
  /** RFC 6901; empty for the root. */
  readonly pointer: string
}

interface LocatedScalar extends Place {
  readonly kind: 'scalar'
  readonly value: Scalar
  /** As written in the file, quotes included. */
  readonly written: string
}
interface LocatedList extends Place {
  readonly kind: 'list'
  readonly items: readonly Located[]
}
interface LocatedMap extends Place {
  readonly kind: 'map'
  /** In the file's order; of equal keys the last counts, as for JSON.parse and YAML readers. */
  readonly fields: ReadonlyMap<string, { readonly key: Span; readonly value: Located }>
}
export type Located = LocatedScalar | LocatedList | LocatedMap

export const toScalar = (value: unknown): Scalar =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null

export const childPointer = (pointer: string, key: string | number): string =>
  `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`

export function field(node: Located | undefined, ...names: readonly string[]): Located | undefined {
  if (node?.kind !== 'map') return undefined
  for (const name of names) {
    const value = node.fields.get(name)?.value
    if (value) return value
  }
  return undefined
}

export function at(node: Located | undefined, ...path: readonly (string | number)[]): Located | undefined {
  let here = node
  for (const step of path)
    here = typeof step === 'number' ? (here?.kind === 'list' ? here.items[step] : undefined) : field(here, step)
  return here
}

export const itemsOf = (node: Located | undefined): readonly Located[] => (node?.kind === 'list' ? node.items : [])
export const entriesOf = (node: Located | undefined): readonly (readonly [string, Located])[] =>
  node?.kind === 'map' ? [...node.fields].map(([key, { value }]) => [key, value] as const) : []

export const stringOf = (node: Located | undefined): string | undefined =>
  node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined
export const booleanOf = (node: Located | undefined): boolean | undefined =>
  node?.kind === 'scalar' && typeof node.value === 'boolean' ? node.value : undefined
export const isNull = (node: Located | undefined): boolean => node?.kind === 'scalar' && node.value === null

/** Also unquoted numbers and booleans as written, such as ids, versions and dates. */
export function textOf(node: Located | undefined): string | undefined {
  if (node?.kind !== 'scalar' || node.value === null) return undefined
  return typeof node.value === 'string' ? node.value : node.written
}

/** Also strings that contain only a number, such as `"01"`. */
export function numberOf(node: Located | undefined): number | undefined {
  if (node?.kind !== 'scalar') return undefined
  if (typeof node.value === 'number') return Number.isFinite(node.value) ? node.value : undefined
  return typeof node.value === 'string' && /^\s*[-+]?\d+(\.\d+)?\s*$/.test(node.value) ? Number(node.value) : undefined
}

/** @returns ms since 1970 */
export function timeOf(node: Located | undefined): number | undefined {
  const text = stringOf(node)
  const time = text !== undefined && /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : NaN
  return Number.isNaN(time) ? undefined : time
}

export function plain(node: Located): unknown {
  if (node.kind === 'scalar') return node.value
  if (node.kind === 'list') return node.items.map(plain)
  return Object.fromEntries([...node.fields].map(([key, { value }]) => [key, plain(value)]))
}

const written = (node: Located): string =>
  node.kind === 'scalar' ? node.written : node.kind === 'list' ? 'a list' : 'a map'

export class LocatedDocument {
  readonly text: StateText
  readonly root: Located | undefined
  /** The first hundred. With severity `error`, `root` is incomplete. */
  readonly findings: readonly Finding[]

  constructor(text: StateText, root: Located | undefined, findings: readonly Finding[]) {
    this.text = text
    this.root = root
    this.findings = findings.slice(0, 100)
  }

  /** False where `root` may be incomplete: counts and sums of it must then not be used for a repair. */
  get isWhole(): boolean {
    return !this.findings.some(({ severity }) => severity === 'error')
  }

  get file(): string {
    return this.text.path
  }

  source(node: Located): ValueSource {
    return { file: this.file, pointer: node.pointer, line: this.text.lines.place(node.start).line }
  }

  fact<T>(node: Located | undefined, convert: (node: Located) => T | undefined): Fact<T> {
    if (!node) return { value: null, source: null }
    const value = convert(node)
    const source = this.source(node)
    const same = node.kind === 'scalar' && value === node.value
    return { value: value ?? null, source, ...(same || node.kind !== 'scalar' ? {} : { written: written(node) }) }
  }

  finding(
    node: Located | undefined,
    rule: string,
    severity: Severity,
    expected: string,
    options: { found?: string; repair?: Repair } = {},
  ): Finding {
    const span = node ?? this.root ?? { start: this.text.start, end: this.text.start }
    return this.text.finding(span, rule, severity, expected, {
      ...options,
      found: options.found ?? (node ? (node.kind === 'scalar' ? quote(node.value) : written(node)) : 'nothing'),
    })
  }
}

/**
 * A literal key with dots at the top, such as `"plan.currentTaskIdx"`, means a field. It overrides that field, as it
 * was written later. Places stay those in the file.
 */
export function foldDotted(root: Located | undefined): {
  root: Located | undefined
  folded: readonly { readonly name: string; readonly key: Span }[]
} {
  if (root?.kind !== 'map') return { root, folded: [] }
  const dotted = [...root.fields].filter(([name]) => /^[^.\s]+(\.[^.\s]+){1,20}$/.test(name))
  if (dotted.length === 0) return { root, folded: [] }
  const top = new Map(root.fields)
  for (const [name] of dotted) top.delete(name)
  const draft = draftOf({ ...root, fields: top })
  for (const [name, entry] of dotted) put(draft, name.split('.'), entry)
  return { root: seal(draft), folded: dotted.map(([name, { key }]) => ({ name, key })) }
}

interface Entry {
  readonly key: Span
  readonly value: Located
}

interface Draft {
  readonly node: Located
  readonly fields: Map<string, Entry>
  readonly items: Located[]
  readonly inner: Map<string, { readonly key: Span; readonly draft: Draft }>
}

const draftOf = (node: Located): Draft => ({
  node,
  fields: new Map(node.kind === 'map' ? node.fields : []),
  items: node.kind === 'list' ? [...node.items] : [],
  inner: new Map(),
})

function put(parent: Draft, [name = '', ...rest]: readonly string[], entry: Entry): void {
  const isItem = parent.node.kind === 'list' && /^\d{1,6}$/.test(name)
  const there = parent.inner.get(name)
  const known = isItem ? undefined : parent.fields.get(name)
  const value = isItem ? parent.items[Number(name)] : known?.value
  if (isItem && !value) return
  if (rest.length > 0) {
    const inner = there ?? {
      key: known?.key ?? entry.key,
      draft: draftOf(value ?? { ...entry.value, kind: 'map', fields: new Map() }),
    }
    parent.inner.set(name, inner)
    put(inner.draft, rest, entry)
    return
  }
  parent.inner.delete(name)
  if (isItem) parent.items[Number(name)] = entry.value
  else parent.fields.set(name, entry)
}

function seal({ node, fields, items, inner }: Draft): Located {
  for (const [name, { key, draft }] of inner) {
    if (node.kind === 'list' && /^\d{1,6}$/.test(name)) items[Number(name)] = seal(draft)
    else fields.set(name, { key, value: seal(draft) })
  }
  if (node.kind === 'list' && fields.size === 0) return { ...node, items }
  return { pointer: node.pointer, start: node.start, end: node.end, kind: 'map', fields }
}
