import type { Journal } from '../../storage/journal'

/** How long before it is told of it, a write may have been seen, ms. */
const BEFORE = 30_000

/** Versions that are remembered, for when they are seen. */
const MOST = 1_000

/** Who wrote what, as far as it is known for certain: the journal names nobody on a guess. */
export class Writers {
  readonly #journal: Journal
  readonly #expected = new Map<string, string>()
  readonly #agents = new Map<number, readonly string[]>()

  constructor(journal: Journal) {
    this.#journal = journal
  }

  /** A version of a file that this writer wrote: to be seen, or seen already. */
  expect(project: number, file: string, hash: string, writer: string): void {
    this.#expected.set(keyOf(project, file, hash), writer)
    for (const oldest of this.#expected.keys()) {
      if (this.#expected.size <= MOST) break
      this.#expected.delete(oldest)
    }
    this.#journal.attribute(project, file, hash, writer, Date.now() - BEFORE)
  }

  /** The agents that run in a project now. */
  atWork(project: number, names: readonly string[]): void {
    this.#agents.set(project, names)
  }

  /** Null when it cannot be told. */
  of(project: number, file: string, hash: string | null): string | null {
    const known = hash === null ? undefined : this.#expected.get(keyOf(project, file, hash))
    if (known !== undefined) return known
    const [agent, ...others] = this.#agents.get(project) ?? []
    return agent === undefined || others.length > 0 ? null : agent
  }
}

const keyOf = (project: number, file: string, hash: string): string => `${project} ${hash} ${file}`
