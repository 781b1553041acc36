import type { Severity } from '@shared/contract/orchestration'
import { expectationOf } from '@shared/contract/describeIssues'
import type { z } from 'zod'
import { replaceScalar } from './checks'
import type { Finding } from './finding'
import { at, plain, textOf, type Located, type LocatedDocument } from './text/located'

type PlacePattern = string

export interface SchemaOptions {
  readonly format: string
  /** Severity of rules that working files are known to break. */
  readonly severities?: Readonly<Record<PlacePattern, Severity>>
  readonly knownWords?: Readonly<Record<PlacePattern, readonly string[]>>
}

type Issue = z.core.$ZodIssue

export function schemaFindings(document: LocatedDocument, schema: z.ZodType, options: SchemaOptions): Finding[] {
  // After a syntax error, missing fields mean nothing.
  if (!document.root || document.findings.some(({ severity }) => severity === 'error')) return []
  const { error } = schema.safeParse(plain(document.root))
  return (error?.issues ?? []).flatMap((issue) => findingsOf(document, issue, options))
}

function findingsOf(
  document: LocatedDocument,
  issue: Issue,
  { format, severities = {}, knownWords = {} }: SchemaOptions,
): Finding[] {
  const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))
  const node = at(document.root, ...path)
  const pattern = path.map((step) => (typeof step === 'number' ? '*' : step)).join('.')
  const isKnown = issue.code === 'invalid_value' && knownWords[pattern]?.some((word) => word === textOf(node))
  const severity = isKnown ? 'warning' : severities[pattern]
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) =>
      document.finding(at(node, key) ?? node, `${format}/unknown-field`, 'info', 'a field of the specification', {
        found: `“${key.slice(0, 60)}”`,
      }),
    )
  }
  if (!node) {
    const name = String(path.at(-1))
    return [
      document.finding(
        at(document.root, ...path.slice(0, -1)),
        `${format}/required`,
        severity ?? 'error',
        `the field “${name}”`,
        { found: 'none' },
      ),
    ]
  }
  const [rule, usual] = kinds[issue.code] ?? ['value', 'error']
  const meant = correction(issue, node)
  return [
    document.finding(
      node,
      `${format}/${rule}`,
      severity ?? usual,
      expectationOf(issue),
      meant === undefined ? {} : { repair: replaceScalar(node, meant) },
    ),
  ]
}

const kinds: Readonly<Partial<Record<Issue['code'], readonly [rule: string, Severity]>>> = {
  invalid_type: ['type', 'error'],
  invalid_union: ['type', 'error'],
  invalid_value: ['enum', 'error'],
  invalid_format: ['form', 'error'],
  too_small: ['range', 'error'],
  too_big: ['range', 'error'],
}

function correction(issue: Issue, node: Located): string | number | undefined {
  if (node.kind !== 'scalar') return undefined
  const { value } = node
  if (issue.code === 'invalid_value' && typeof value === 'string') {
    const word = value.trim().toLowerCase()
    return issue.values.some((known) => known === word) ? word : undefined
  }
  if (issue.code !== 'invalid_type') return undefined
  const wantsNumber = issue.expected === 'number' || issue.expected === 'int'
  if (wantsNumber && typeof value === 'string' && /^\d{1,15}$/.test(value)) return Number(value)
  return issue.expected === 'string' && typeof value === 'number' ? node.written : undefined
}
