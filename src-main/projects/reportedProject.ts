import { basename } from 'node:path'
import { MAX_LINE_CHARACTERS, type Project, type Run } from '@shared/contract/orchestration'
import type { StoredProject } from '../storage/projects'
import type { Summary } from './worker/messages'

export class ReportedProject {
  root = ''
  identity: string | null = null
  summary: Summary | undefined
  readonly runs = new Map<string, Run>()
  isRead = false
  readonly #refused = new Map<string, string>()
  #notReported = new Set<string>()

  set(run: Run): void {
    this.#settle(run.key)
    this.runs.set(run.key, run)
  }

  remove(key: string): void {
    this.#settle(key)
    this.runs.delete(key)
  }

  /** What was read of the run stays, as stale. */
  refuse(key: string, file: string): boolean {
    this.#refused.set(key, file)
    const run = this.runs.get(key)
    if (!run) return false
    const stale = { since: Date.now(), file, message: couldNotBeRead(file) }
    this.runs.set(key, { ...run, stale, revision: run.revision + 1 })
    return true
  }

  expectAll(): void {
    this.#notReported = new Set(this.runs.keys())
  }

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
