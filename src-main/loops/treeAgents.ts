/** Which agents work in which tree: loops that share one must not take each other's commits for their own. */

export interface TreeAgent {
  /** The name under which its loop's host is known. */
  readonly loop: string
  /** With the run that it works for. */
  readonly role: string
  /** Its run. */
  readonly log: string
}

/** What an answer names, of an agent that has ended. */
export interface NamedCommits {
  readonly log: string
  readonly named: readonly string[]
}

/** Before an agent starts, once it has ended, and once it is known what its answer named. */
interface TreeChange {
  /** Of the watching loop. */
  readonly isOwn: boolean
  readonly named?: NamedCommits
}

type Watcher = (change: TreeChange) => Promise<void>

/** What one loop sees of its tree. */
export interface Elsewhere {
  /** Of other loops, at work now. */
  agents(): readonly TreeAgent[]
  /** Whether an agent of its own is at work. */
  isAtWork(): boolean
  /** @returns ends it */
  watch(watcher: Watcher): () => void
}

export class TreeAgents {
  /** By tree. */
  readonly #agents = new Map<string, readonly TreeAgent[]>()
  readonly #watchers = new Map<string, ReadonlySet<{ readonly loop: string; readonly watcher: Watcher }>>()

  /** @param tree its top */
  elsewhere(tree: string, loop: string): Elsewhere {
    return {
      agents: () => this.#at(tree).filter((agent) => agent.loop !== loop),
      isAtWork: () => this.#at(tree).some((agent) => agent.loop === loop),
      watch: (watcher) => {
        const entry = { loop, watcher }
        this.#watchers.set(tree, new Set([...(this.#watchers.get(tree) ?? []), entry]))
        return () => {
          const left = [...(this.#watchers.get(tree) ?? [])].filter((known) => known !== entry)
          if (left.length > 0) this.#watchers.set(tree, new Set(left))
          else this.#watchers.delete(tree)
        }
      },
    }
  }

  /** Settles once the other loops know what came before it: its process starts after that. */
  async begin(tree: string, agent: TreeAgent): Promise<void> {
    this.#agents.set(tree, [...this.#at(tree), agent])
    await this.#tell(tree, agent.loop)
  }

  async end(tree: string, { loop, log }: TreeAgent): Promise<void> {
    const left = this.#at(tree).filter((agent) => agent.log !== log)
    if (left.length === this.#at(tree).length) return
    if (left.length > 0) this.#agents.set(tree, left)
    else this.#agents.delete(tree)
    await this.#tell(tree, loop)
  }

  claim(tree: string, loop: string, named: NamedCommits): Promise<void> {
    return this.#tell(tree, loop, named)
  }

  #at(tree: string): readonly TreeAgent[] {
    return this.#agents.get(tree) ?? []
  }

  async #tell(tree: string, loop: string, named?: NamedCommits): Promise<void> {
    const told = [...(this.#watchers.get(tree) ?? [])]
    await Promise.all(told.map((known) => known.watcher({ isOwn: known.loop === loop, ...(named ? { named } : {}) })))
  }
}
