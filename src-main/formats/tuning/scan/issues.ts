import { nameOf } from '../../listing'
import { severities, type Severity, type SeverityCounts } from '../scores'
import { patternTexts } from './patterns'
import { markOf } from './finding'
import type { Area, AreaScan, FoundIssue } from './scan'

interface IssueKind {
  readonly type: 'context_explosion' | 'memory_loss' | 'dataflow_break' | 'agent_failure'
  readonly prefix: string
}

export const issueKinds: Readonly<Record<Area, IssueKind>> = {
  dataflow: { type: 'dataflow_break', prefix: 'DF' },
  agent: { type: 'agent_failure', prefix: 'AGT' },
  context: { type: 'context_explosion', prefix: 'CTX' },
  memory: { type: 'memory_loss', prefix: 'MEM' },
}

const typeOrder: readonly string[] = Object.values(issueKinds).map(({ type }) => type)

export interface ScannedIssue {
  readonly id: string
  readonly type: IssueKind['type']
  readonly severity: Severity
  /** Set only for what may be no fault: the specification has no field for it. */
  readonly confidence?: 'low'
  readonly priority: number
  readonly location: {
    readonly file: string
    readonly line_start?: number
    readonly line_end?: number
    readonly phase?: string
  }
  readonly description: string
  /** As `phases/collect.md:12: history.push(entry)`. */
  readonly evidence: readonly string[]
  readonly root_cause: string
  readonly impact: string
  readonly suggested_fix: string
  readonly related_issues: readonly string[]
}

export type KnownIssue = Pick<ScannedIssue, 'id' | 'description' | 'evidence'> & { readonly file: string }

/**
 * An earlier issue with the same file, pattern and a piece of evidence keeps its id; new ones continue the count.
 * @param usedIds of all issues that ever existed
 */
export function issuesOf(
  scans: readonly AreaScan[],
  known: readonly KnownIssue[],
  usedIds: Iterable<string>,
): ScannedIssue[] {
  const ids = new IssueIds(known, usedIds)
  return ranked(scans.flatMap(({ area, found }) => found.map((issue) => issueOf(area, issue, ids))))
}

function ranked(issues: readonly ScannedIssue[]): ScannedIssue[] {
  const rank = ({ severity, confidence, type }: ScannedIssue): number =>
    ((confidence === 'low' ? severities.length : 0) + severities.indexOf(severity)) * typeOrder.length +
    typeOrder.indexOf(type)
  const sorted = [...issues].sort((a, b) => rank(a) - rank(b))
  const byFile = groupedBy(sorted, ({ location }) => location.file)
  return sorted.map((issue, index) => ({
    ...issue,
    priority: index + 1,
    related_issues: (byFile.get(issue.location.file) ?? [])
      .flatMap(({ id }) => (id === issue.id ? [] : [id]))
      .slice(0, MAX_RELATED),
  }))
}

const MAX_RELATED = 20

export function countSeverities(issues: readonly Pick<ScannedIssue, 'severity' | 'confidence'>[]): SeverityCounts {
  const counts = { critical: 0, high: 0, medium: 0, low: 0 }
  for (const { severity, confidence } of issues) if (confidence !== 'low') counts[severity]++
  return counts
}

function issueOf(area: Area, { pattern, severity, confidence, places }: FoundIssue, ids: IssueIds): ScannedIssue {
  const { description, rootCause, impact, suggestedFix } = patternTexts[pattern]
  const { type, prefix } = issueKinds[area]
  const [first] = places
  const file = first?.file ?? ''
  const evidence = places.map(({ file, line, context }) => `${file}${line === undefined ? '' : `:${line}`}: ${context}`)
  const lines = places.flatMap((place) => (place.file === file && place.line !== undefined ? [place.line] : []))
  return {
    id: ids.idOf(prefix, { file, description, evidence }),
    type,
    severity,
    ...markOf(confidence),
    priority: 1,
    location: {
      file,
      ...(lines.length > 0 ? { line_start: Math.min(...lines), line_end: Math.max(...lines) } : {}),
      ...(file.startsWith('phases/') ? { phase: nameOf(file).replace(/\.md$/, '') } : {}),
    },
    description,
    evidence,
    root_cause: rootCause,
    impact,
    suggested_fix: suggestedFix,
    related_issues: [],
  }
}

function groupedBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}

/** Lines move with every fix, so a place is told by its text alone. */
export const evidenceText = (evidence: string): string =>
  evidence.replace(/^[^\n]{0,1000}?\.md(?::\d+)?: /, '').replace(/^\s*(?:[-*+]|\d{1,3}[.)])\s+/, '')

const ownDescriptions: ReadonlySet<string> = new Set(Object.values(patternTexts).map(({ description }) => description))

export const isOwnDescription = (description: string): boolean => ownDescriptions.has(description)

class IssueIds {
  readonly #known: ReadonlyMap<string, readonly KnownIssue[]>
  readonly #taken = new Set<string>()
  readonly #last = new Map<string, number>()

  constructor(known: readonly KnownIssue[], usedIds: Iterable<string>) {
    this.#known = groupedBy(known, ({ file }) => file)
    for (const id of [...usedIds, ...known.map(({ id }) => id)]) {
      const [, prefix, number] = /^([A-Z]+)-(\d{1,9})$/.exec(id) ?? []
      if (prefix !== undefined) this.#last.set(prefix, Math.max(this.#last.get(prefix) ?? 0, Number(number)))
    }
  }

  idOf(prefix: string, { file, description, evidence }: Omit<KnownIssue, 'id'>): string {
    const texts = new Set(evidence.map(evidenceText))
    const same = this.#known.get(file)?.find(
      (known) =>
        known.id.startsWith(`${prefix}-`) &&
        !this.#taken.has(known.id) &&
        // Another program describes the same pattern in its own words.
        (known.description === description || !isOwnDescription(known.description)) &&
        known.evidence.some((text) => texts.has(evidenceText(text))),
    )
    const id = same?.id ?? this.#next(prefix)
    this.#taken.add(id)
    return id
  }

  #next(prefix: string): string {
    const number = (this.#last.get(prefix) ?? 0) + 1
    this.#last.set(prefix, number)
    return `${prefix}-${number}`
  }
}
