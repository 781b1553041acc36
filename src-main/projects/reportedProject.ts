import { basename } from 'node:path'
import { MAX_LINE_CHARACTERS, type Project, type Run } from '@shared/contract/orchestration'
import type { StoredProject } from '../storage/projects'
import type { Summary } from './worker/messages'

/** What the worker reported of an open project. */
export class ReportedProject {
  /** What the folder really is, links resolved; empty until it was read. */
  root = ''
  /** Which folder it is, as trust knows it; null until it was found. */
  identity: string | null = null
  summary: Summary | undefined
  readonly runs = new Map<string, Run>()
  /** All runs that were there when it was opened were reported. */
  isRead = false
  /** Runs of which reading was given up, and the file that it failed at. */
  readonly #refused = new Map<string, string>()
  /** Runs that a restarted worker has not reported yet. */
  #notReported = new Set<string>()

  set(run: Run): void {
    this.#settle(run.key)
    this.runs.set(run.key, run)
  }

  remove(key: string): void {
    this.#settle(key)
    this.runs.delete(key)
  }

  /** What was read of the run stays, as stale. @returns whether there was anything */
  refuse(key: string, file: string): boolean {
    this.#refused.set(key, file)
    const run = this.runs.get(key)
    if (!run) return false
    const stale = { since: Date.now(), file, message: couldNotBeRead(file) }
    this.runs.set(key, { ...run, stale, revision: run.revision + 1 })
    return true
  }

  /** A restarted worker reports all runs again. */
  expectAll(): void {
    this.#notReported = new Set(this.runs.keys())
  }

  /** Runs that it did not report, though it has read all that it may. */
  get gone(): string[] {
    return [...this.#notReported].filter((key) => !this.#refused.has(key))
  }

  get problems(): string[] {
    return [...[...this.#refused.values()].map(couldNotBeRead), ...(this.summary?.problems ?? [])]
  }

  #settle(key: string): void {
    this.#refused.delete(key)
    this.#notReported.delete(key)
  }
}

export function describeProject(
  { id, path, openedAt, trustedAs }: StoredProject,
  open: ReportedProject | undefined,
  whyClosed: string | undefined,
): Project {
  // Of one that is closed, the folder is looked at when it is opened.
  const trusted = trustedAs !== null && (open === undefined || open.identity === trustedAs)
  const shown = open?.summary ?? {
    name: basename(path).slice(0, 300) || path.slice(0, 300),
    place: path.slice(0, 4096),
    state: open ? ('reading' as const) : ('closed' as const),
    watch: 'none' as const,
    runs: 0,
    files: 0,
  }
  const problems = open?.problems ?? (whyClosed === undefined ? [] : [whyClosed.slice(0, MAX_LINE_CHARACTERS)])
  return { project: id, openedAt, trusted, ...shown, problems: problems.slice(0, 20) }
}

const couldNotBeRead = (file: string): string =>
  `${file} could not be read: it takes too long or too much memory. Bridgedeck tries again when it changes.`.slice(
    -MAX_LINE_CHARACTERS,
  )
