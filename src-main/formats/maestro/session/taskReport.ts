/** `## Task Report`, then `## Downstream Context`, at the end of an agent's work. */
import { markdownLines } from '../../text/markdown'
import type { ContextField } from '../schema'

const reportStatuses = ['success', 'partial', 'failure'] as const
type ReportStatus = (typeof reportStatuses)[number]
const validations = ['pass', 'fail', 'skipped'] as const
type ReportedValidation = (typeof validations)[number]

export const fileKinds = ['created', 'modified', 'deleted'] as const
export type FileKind = (typeof fileKinds)[number]
export type PhaseFiles = Readonly<Record<FileKind, readonly string[]>>
export type DownstreamContext = Readonly<Record<ContextField, readonly string[]>>

export interface TaskReport {
  readonly status: ReportStatus
  readonly files: PhaseFiles
  /** Null where the report does not say. */
  readonly validation: ReportedValidation | null
  readonly errors: readonly string[]
  /** Since 1.6.3: why the agent cannot go on. */
  readonly blockers: readonly string[]
  readonly context: DownstreamContext
}

/** What an agent says is foreign and goes into a file that others read, so it is limited. */
const MAX_ENTRIES = 500
const MAX_ENTRY_CHARACTERS = 2_000

export function parseTaskReport(answer: string): TaskReport | undefined {
  const task = sectionOf(answer, 'task report')
  const context = sectionOf(answer, 'downstream context')
  const status = oneOf(reportStatuses, firstOf(task, 'status'))
  if (!task || !context || status === undefined) return undefined
  return {
    status,
    files: {
      created: pathsOf(task, 'files created'),
      modified: pathsOf(task, 'files modified'),
      deleted: pathsOf(task, 'files deleted'),
    },
    validation: oneOf(validations, firstOf(task, 'validation')) ?? null,
    errors: task.get('errors') ?? [],
    blockers: task.get('blockers') ?? [],
    context: {
      key_interfaces_introduced: context.get('key interfaces introduced') ?? [],
      patterns_established: context.get('patterns established') ?? [],
      integration_points: context.get('integration points') ?? [],
      assumptions: context.get('assumptions') ?? [],
      warnings: context.get('warnings') ?? [],
    },
  }
}

type Section = ReadonlyMap<string, readonly string[]>

/**
 * `- **Files Created**: a, b`, or bullets below it. The last section of this name counts, as agents quote their task
 * first.
 */
function sectionOf(text: string, title: string): Section | undefined {
  let section: Map<string, string[]> | undefined
  let level = 0
  let entries: string[] | undefined
  for (const line of markdownLines(text)) {
    if (line.kind === 'heading') {
      if (line.text.toLowerCase().startsWith(title)) {
        section = new Map()
        level = line.level
        entries = undefined
      } else if (line.level <= level) level = 0
      continue
    }
    if (!section || level === 0 || line.fenced) continue
    const [, label, value = ''] =
      /^\s{0,3}(?:[-*+]\s+)?\*{0,2}([A-Za-z][A-Za-z ]{1,40}?)\*{0,2}:\*{0,2}(?:\s+(.*))?$/.exec(line.text) ?? []
    const [, bullet] = /^\s+(?:[-*+]|\d+\.)\s+(.*)$/.exec(line.text) ?? []
    if (bullet !== undefined && entries) add(entries, bullet)
    else if (label !== undefined) {
      entries = []
      section.set(label.toLowerCase(), entries)
      add(entries, value)
    }
  }
  return section
}

const nothing = /^(?:none|n\/?a|not applicable|nothing|-|—)?[.\s]*$/i

function add(entries: string[], written: string): void {
  const text = written
    .trim()
    .replace(/^\[(.*)\]$/s, '$1')
    .trim()
  if (!nothing.test(text) && entries.length < MAX_ENTRIES) entries.push(text.slice(0, MAX_ENTRY_CHARACTERS))
}

const firstOf = (section: Section | undefined, label: string): string => section?.get(label)?.[0] ?? ''

const oneOf = <Word extends string>(words: readonly Word[], text: string): Word | undefined => {
  const [first = ''] = /[a-z]+/i.exec(text) ?? []
  return words.find((word) => word === first.toLowerCase())
}

function pathsOf(section: Section, label: string): string[] {
  const paths = (section.get(label) ?? []).flatMap((entry) => {
    const quoted = [...entry.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path.trim())
    return quoted.length > 0 ? quoted : entry.split(/,\s+/).map(withoutPurpose)
  })
  return [...new Set(paths)].filter((path) => path !== '' && !nothing.test(path))
}

const withoutPurpose = (entry: string): string =>
  entry
    .replace(/\s+(?:[-–—(]|=>|->)\s*.*$/s, '')
    .replace(/:(?:\s.*)?$/s, '')
    .trim()
