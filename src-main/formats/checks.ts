import type { Severity } from '@shared/contract/orchestration'
import type { Finding, Repair } from './finding'
import { entriesOf, field, type Located, type LocatedDocument, type Scalar } from './text/located'

export class Checks {
  readonly findings: Finding[] = []
  readonly #format: string

  constructor(format: string) {
    this.#format = format
  }

  add(
    document: LocatedDocument,
    node: Located | undefined,
    rule: string,
    severity: Severity,
    expected: string,
    options: { found?: string; repair?: Repair } = {},
  ): void {
    this.findings.push(document.finding(node, `${this.#format}/${rule}`, severity, expected, options))
  }

  named(
    document: LocatedDocument,
    parent: Located | undefined,
    name: string,
    ...otherNames: readonly string[]
  ): Located | undefined {
    const proper = field(parent, name)
    if (proper || parent?.kind !== 'map') return proper
    for (const other of otherNames) {
      const entry = parent.fields.get(other)
      if (!entry) continue
      const { start, end } = entry.key
      const quoted = document.text.text[start] === '"'
      const repair = {
        title: `Rename ${other} to ${name}`,
        edits: [{ offset: start, length: end - start, text: quoted ? JSON.stringify(name) : name }],
      }
      this.findings.push(
        document.text.finding(entry.key, `${this.#format}/field-name`, 'warning', `“${name}”`, { repair }),
      )
      return entry.value
    }
    return undefined
  }

  required(
    document: LocatedDocument,
    parent: Located | undefined,
    name: string,
    ...otherNames: readonly string[]
  ): Located | undefined {
    const node = this.named(document, parent, name, ...otherNames)
    if (!node) this.add(document, parent, 'required', 'error', `the field “${name}”`, { found: 'none' })
    return node
  }

  oneOf<Word extends string>(
    document: LocatedDocument,
    node: Located | undefined,
    rule: string,
    words: readonly Word[],
    severity: Severity = 'error',
  ): Word | undefined {
    if (!node) return undefined
    const value = node.kind === 'scalar' ? node.value : undefined
    const word = words.find((candidate) => candidate === value)
    if (word !== undefined) return word
    const meant =
      typeof value === 'string' ? words.find((candidate) => candidate === value.trim().toLowerCase()) : undefined
    this.add(
      document,
      node,
      rule,
      severity,
      words.join(', ').replace(/, ([^,]*)$/, ' or $1'),
      meant === undefined ? {} : { repair: replaceScalar(node, meant) },
    )
    return undefined
  }

  integer(
    document: LocatedDocument,
    node: Located | undefined,
    rule: string,
    { min = -Infinity, max = Infinity, severity = 'error' }: { min?: number; max?: number; severity?: Severity } = {},
  ): number | undefined {
    if (!node) return undefined
    const value = node.kind === 'scalar' ? node.value : undefined
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max) return value
    const range = max === Infinity ? (min === -Infinity ? '' : ` from ${min} on`) : ` from ${min} to ${max}`
    const meant = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : NaN
    const repair = meant >= min && meant <= max ? { repair: replaceScalar(node, meant) } : {}
    this.add(document, node, rule, severity, `a whole number${range}`, repair)
    return undefined
  }

  string(
    document: LocatedDocument,
    node: Located | undefined,
    rule: string,
    { severity = 'error', mayBeEmpty = false }: { severity?: Severity; mayBeEmpty?: boolean } = {},
  ): string | undefined {
    if (!node) return undefined
    if (node.kind === 'scalar' && typeof node.value === 'string' && (mayBeEmpty || node.value.trim() !== ''))
      return node.value
    const number = node.kind === 'scalar' && typeof node.value === 'number'
    this.add(
      document,
      node,
      rule,
      severity,
      mayBeEmpty ? 'text' : 'text that is not empty',
      number ? { repair: replaceScalar(node, node.written) } : {},
    )
    return undefined
  }

  list(document: LocatedDocument, node: Located | undefined, rule: string, of: string): readonly Located[] {
    if (node?.kind === 'list') return node.items
    if (node) this.add(document, node, rule, 'error', `a list of ${of}`)
    return []
  }

  strings(
    document: LocatedDocument,
    node: Located | undefined,
    rule: string,
    of: string,
  ): readonly { readonly node: Located; readonly value: string }[] {
    return this.list(document, node, rule, of).flatMap((item) => {
      const value = this.string(document, item, rule)
      return value === undefined ? [] : [{ node: item, value }]
    })
  }

  map(document: LocatedDocument, node: Located | undefined, rule: string): Located | undefined {
    if (!node || node.kind === 'map') return node
    this.add(document, node, rule, 'error', 'an object')
    return undefined
  }

  /** Unknown keys are always kept. */
  unknownFields(document: LocatedDocument, parent: Located | undefined, known: ReadonlySet<string>): void {
    for (const [key, value] of entriesOf(parent)) {
      if (!known.has(key))
        this.add(document, value, 'unknown-field', 'info', 'a field of the specification', {
          found: `“${key.slice(0, 60)}”`,
        })
    }
  }
}

/** Keeps the present quotes. Both JSON and YAML read double quotes as JSON does. */
export function replaceScalar(node: Located, value: Scalar): Repair {
  const plainWord =
    typeof value === 'string' && node.kind === 'scalar' && !/^["']/.test(node.written) && /^[a-z_]+$/.test(value)
  const text = plainWord ? value : JSON.stringify(value)
  return { title: `Write ${text}`, edits: [{ offset: node.start, length: node.end - node.start, text }] }
}
