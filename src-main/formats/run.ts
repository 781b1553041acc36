/**
 * The common view of a run, for lists, badges, graphs and notifications, whatever format it is in. What one format has of its
 * own is in its `details` beside it.
 */

export const systems = ['metashell', 'ncrew', 'maestro', 'tuning'] as const
export type System = (typeof systems)[number]

/** Where a value was read: in which file, and at which JSON pointer (RFC 6901) or line (from 1) of it. A file alone for what its name or time tells. */
export interface Source {
  /** Relative to the project, with `/`. */
  readonly file: string
  readonly pointer?: string
  readonly line?: number
}

/** A value and where it comes from. `null` is unknown, and shown so. */
export interface Fact<T> {
  readonly value: T | null
  /** `null` when nothing on disk tells. */
  readonly source: Source | null
  /** As it stands in the file, where that is not the value itself: `halted`, `"01"`, `0.00`. */
  readonly written?: string
}

export const unknown = (source: Source | null = null, written?: string): Fact<never> => ({
  value: null,
  source,
  ...(written === undefined ? {} : { written }),
})

/**
 * `gate` waits for an approval, `waiting` for anything else from a person; `limit` was ended by a limit of turns, cost or
 * retries. That a process is attached is on no disk: `running` is what the files say, a claim.
 */
export type RunState = 'planning' | 'running' | 'waiting' | 'gate' | 'done' | 'failed' | 'limit'
export type WorkState = 'todo' | 'active' | 'done' | 'failed' | 'skipped'

export interface TaskView {
  /** Unique in the run. */
  readonly key: string
  readonly title: Fact<string>
  readonly state: Fact<WorkState>
  /** Keys of tasks or phases, as written: they may name none. */
  readonly dependencies: readonly Fact<string>[]
  readonly owner?: Fact<string>
  /** `null` where the file has none; an empty list is an empty list. */
  readonly commits?: Fact<readonly string[]>
}

export interface PhaseView {
  /** Unique in the run. */
  readonly key: string
  readonly title: Fact<string>
  readonly state: Fact<WorkState>
  readonly dependencies: readonly Fact<string>[]
  readonly owner?: Fact<string>
  readonly tasks: readonly TaskView[]
}

/** Something that waits for a person. */
export interface Need {
  readonly kind: 'question' | 'gate' | 'approval' | 'failure'
  readonly title: string
  /** Everything there is to read before answering, inert text. */
  readonly detail: string
  readonly options: readonly string[]
  readonly source: Source
  /** Since when it waits. */
  readonly since: Fact<number>
  /** Keys of the tasks and phases that go on once it is answered; none: the whole run. */
  readonly unblocks: readonly string[]
}

/** Something that is used up: `used` of `limit`, in its own unit. Units of different formats are never added. */
export interface Meter {
  readonly name: string
  /** `re-plans`, `iterations`, `USD`, `tokens` … */
  readonly unit: string
  readonly used: Fact<number>
  readonly limit: Fact<number>
}

export interface ErrorView {
  readonly message: Fact<string>
  /** Key of the task or phase. */
  readonly at: string | null
  readonly time: Fact<number>
  readonly resolved: boolean | null
}

/** A file that the run made or says it made. */
export interface ArtefactView {
  readonly kind: string
  /** As the run names it: untrusted, possibly outside the project. */
  readonly path: string
  /** `null` when it was not looked for. */
  readonly exists: boolean | null
  readonly source: Source
}

export interface RunView {
  readonly system: System
  /** Unique in the project. */
  readonly key: string
  /** Relative to the project; empty for the project's own folder. */
  readonly folder: string
  /** Of an archive: nothing in it goes on. */
  readonly archived: boolean
  readonly id: Fact<string>
  readonly title: Fact<string>
  readonly state: Fact<RunState>
  /** Why it is in that state, in one sentence. */
  readonly reason: Fact<string>
  /** ms since 1970: what the run writes of itself, otherwise its files' newest time. */
  readonly updatedAt: Fact<number>
  /** Key of the phase at hand. */
  readonly currentPhase: Fact<string>
  readonly phases: readonly PhaseView[]
  readonly needs: readonly Need[]
  readonly meters: readonly Meter[]
  readonly errors: readonly ErrorView[]
  readonly artefacts: readonly ArtefactView[]
}
