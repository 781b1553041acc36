import type { Fact } from '../run'
import type { Setting } from './settings'

/** What a Maestro run has of its own, as far as it could be read. Words outside the specification stand as they are. */
export interface MaestroDetails {
  /** Relative to the project: the folder with `state/`, `plans/` and `parallel/`. */
  readonly stateDir: string
  /** Where Maestro's scripts look, as far as files tell: the environment of whoever starts them may say otherwise. */
  readonly stateDirSetting: Setting
  /** `null` for a state folder without a session: what is being planned, and batches that nobody claims. */
  readonly session: SessionDetails | null
  readonly phases: readonly PhaseDetails[]
  readonly plans: readonly PlanDetails[]
  readonly designGates: readonly DesignGate[]
  /** The format does not say to which session a batch belongs: those of the state folder, beside its active session. */
  readonly batches: readonly Batch[]
}

export interface SessionDetails {
  /** How the values between the `---` lines are written; a change has to keep it. */
  readonly syntax: 'yaml' | 'json' | 'none'
  readonly status: Fact<string>
  readonly created: Fact<number>
  readonly updated: Fact<number>
  readonly task: Fact<string>
  readonly executionMode: Fact<string>
  readonly totalPhases: Fact<number>
  readonly workflowMode: Fact<string>
  readonly backend: Fact<string>
  readonly currentBatch: Fact<string>
  readonly complexity: Fact<string>
  readonly tokens: Tokens & { readonly byAgent: readonly (Tokens & { readonly agent: string })[] }
  /** The headings of the log below the front matter: for reading, it holds no state. */
  readonly log: readonly { readonly level: number; readonly title: string; readonly line: number }[]
}

export interface Tokens {
  readonly input: Fact<number>
  readonly output: Fact<number>
  readonly cached: Fact<number>
}

export interface PhaseDetails {
  /** That of the phase in the common view. */
  readonly key: string
  readonly id: Fact<string>
  readonly name: Fact<string>
  readonly status: Fact<string>
  readonly agents: readonly Fact<string>[]
  readonly parallel: Fact<boolean>
  readonly started: Fact<number>
  readonly completed: Fact<number>
  /** Ids of phases, as written. */
  readonly blockedBy: readonly Fact<string>[]
  /** What agents say they did: nobody checked it. */
  readonly files: Readonly<Record<'created' | 'modified' | 'deleted' | 'planned', readonly Fact<string>[]>>
  /** What later phases should know, under the names that stand there. */
  readonly downstream: readonly { readonly name: string; readonly entries: readonly Fact<string>[] }[]
  readonly errors: readonly PhaseError[]
  readonly retries: Fact<number>
  readonly requiresReconciliation: Fact<boolean>
  readonly reconciliationReason: Fact<string>
}

export interface PhaseError {
  readonly agent: Fact<string>
  readonly time: Fact<number>
  readonly type: Fact<string>
  readonly message: Fact<string>
  readonly resolution: Fact<string>
  readonly resolved: Fact<boolean>
}

export interface PlanDetails {
  readonly kind: 'design' | 'implementation'
  /** Where it is: archiving moves it. `null` when it is nowhere to be found. */
  readonly path: string | null
  /** Where the session says it is; unknown for a plan that no session names. */
  readonly named: Fact<string>
  readonly title: Fact<string>
  readonly status: Fact<string>
  readonly created: Fact<string>
}

export interface DesignGate {
  /** Entered, and not approved yet: no session is created before. */
  readonly open: boolean
  readonly session: Fact<string>
  readonly enteredAt: Fact<number>
  readonly approvedAt: Fact<number>
  readonly document: Fact<string>
}

/** One parallel dispatch: `parallel/<id>/`. */
export interface Batch {
  readonly id: string
  readonly folder: string
  readonly status: Fact<string>
  readonly total: Fact<number>
  readonly succeeded: Fact<number>
  readonly failed: Fact<number>
  readonly seconds: Fact<number>
  readonly agents: readonly BatchAgent[]
}

export interface BatchAgent {
  /** As its files are named, hyphens and all. */
  readonly name: string
  /** The exit code decides. `started`: its output exists, its exit code does not (it runs, or was killed with its dispatcher). */
  readonly state: 'waiting' | 'started' | 'success' | 'failed' | 'timeout' | 'unknown'
  readonly exitCode: Fact<number>
  /** What the summary says. */
  readonly status: Fact<string>
  /** Paths, `null` where there is none. */
  readonly prompt: string | null
  readonly output: string | null
  readonly log: string | null
  /** Sums over the models of its output. */
  readonly tokens: Tokens
}
