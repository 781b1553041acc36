/**
 * The common view of a run, for lists, badges, graphs and notifications, whatever format it is in. Its parts are those of the contract,
 * not cut to its limits yet.
 */
import type {
  Fact,
  RunArtefact,
  RunError,
  RunMeter,
  RunNeed,
  RunState,
  System,
  ValueSource,
  WorkState,
} from '@shared/contract/orchestration'
import type { HostCheck } from '@shared/hostCheck'
import { quote } from './finding'

export const unknown = (source: ValueSource | null = null, written?: string): Fact<never> => ({
  value: null,
  source,
  ...(written === undefined ? {} : { written }),
})

/** A status that the format does not have says neither that the run goes on nor that it is over. */
export const unclearStatus = (written: string | null | undefined, source: ValueSource): RunNeed => ({
  kind: 'unreadable',
  title: written === null || written === undefined ? 'The run has no status' : `Unknown status ${quote(written)}`,
  detail: 'Set a status that the format has: nobody can tell whether the run goes on.',
  options: [],
  source,
  since: unknown(),
  unblocks: [],
})

export interface TaskView {
  /** Unique in the run. */
  readonly key: string
  readonly title: Fact<string>
  readonly state: Fact<WorkState>
  /** Keys of tasks or phases, as written: they may name none. */
  readonly dependencies: readonly Fact<string>[]
  readonly owner?: Fact<string>
  /** ms since 1970. */
  readonly started?: Fact<number>
  readonly completed?: Fact<number>
  /** `null` where the file has none; an empty list is an empty list. */
  readonly commits?: Fact<readonly string[]>
  /** What Bridgedeck found when it checked the task itself. */
  readonly check?: HostCheck
}

export interface PhaseView {
  /** Unique in the run. */
  readonly key: string
  readonly title: Fact<string>
  readonly state: Fact<WorkState>
  readonly dependencies: readonly Fact<string>[]
  readonly owner?: Fact<string>
  /** ms since 1970. */
  readonly started?: Fact<number>
  readonly completed?: Fact<number>
  /** How often it was tried again. */
  readonly retries?: Fact<number>
  /** As that of a task. */
  readonly check?: HostCheck
  readonly tasks: readonly TaskView[]
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
  readonly needs: readonly RunNeed[]
  readonly meters: readonly RunMeter[]
  readonly errors: readonly RunError[]
  readonly artefacts: readonly RunArtefact[]
}
