import type { Journal } from '../../storage/journal'

/** A write may be seen this long before its writer reports it. */
const SEEN_BEFORE_MS = 30_000

const MAX_EXPECTED_VERSIONS = 1_000

export class Writers {
  readonly #journal: Journal
  readonly #expected = new Map<string, string>()
  readonly #agents = new Map<number, readonly string[]>()

  constructor(journal: Journal) {
    this.#journal = journal
  }

  expect(project: number, file: string, hash: string, writer: string): void {
    this.#expected.set(keyOf(project, file, hash), writer)
    for (const oldest of this.#expected.keys()) {
      if (this.#expected.size <= MAX_EXPECTED_VERSIONS) break
      this.#expected.delete(oldest)
    }
    this.#journal.attribute(project, file, hash, writer, Date.now() - SEEN_BEFORE_MS)
  }

  atWork(project: number, names: readonly string[]): void {
    this.#agents.set(project, names)
  }

  /** Null when unknown. */
  of(project: number, file: string, hash: string | null): string | null {
    const known = hash === null ? undefined : this.#expected.get(keyOf(project, file, hash))
    if (known !== undefined) return known
    const [agent, ...others] = this.#agents.get(project) ?? []
    return agent === undefined || others.length > 0 ? null : agent
  }

  /** Of a version that may have been seen before: what was known then stays, whoever is at work by now. */
  lastOf(project: number, file: string, hash: string): string | null {
    const expected = this.#expected.get(keyOf(project, file, hash))
    const seen = this.#journal.lastSeen(project, file)
    return expected ?? (seen?.hash === hash ? seen.writer : this.of(project, file, hash))
  }
}

const keyOf = (project: number, file: string, hash: string): string => `${project} ${hash} ${file}`
