/** Loops that share a tree must not take each other's commits for their own. */

export interface TreeAgent {
  readonly loop: string
  readonly role: string
  readonly log: string
}

export interface NamedCommits {
  readonly log: string
  readonly named: readonly string[]
}

interface TreeChange {
  readonly isOwn: boolean
  readonly named?: NamedCommits
}

type Watcher = (change: TreeChange) => Promise<void>

export interface Elsewhere {
  agents(): readonly TreeAgent[]
  isAtWork(): boolean
  watch(watcher: Watcher): () => void
}

export class TreeAgents {
  readonly #agents = new Map<string, readonly TreeAgent[]>()
  readonly #watchers = new Map<string, ReadonlySet<{ readonly loop: string; readonly watcher: Watcher }>>()

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

  /** The agent's process must start only after this settles: then the other loops have recorded what came before. */
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
