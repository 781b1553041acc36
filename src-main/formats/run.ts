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

/** An unknown status means neither that the run goes on nor that it is over. */
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
  readonly key: string
  readonly title: Fact<string>
  readonly state: Fact<WorkState>
  readonly dependencies: readonly Fact<string>[]
  readonly owner?: Fact<string>
  readonly started?: Fact<number>
  readonly completed?: Fact<number>
  /** `null` where the file has none, which differs from an empty list. */
  readonly commits?: Fact<readonly string[]>
  readonly check?: HostCheck
}

export interface PhaseView {
  readonly key: string
  readonly title: Fact<string>
  readonly state: Fact<WorkState>
  readonly dependencies: readonly Fact<string>[]
  readonly owner?: Fact<string>
  /** ms since 1970. */
  readonly started?: Fact<number>
  readonly completed?: Fact<number>
  readonly retries?: Fact<number>
  readonly check?: HostCheck
  readonly tasks: readonly TaskView[]
}

export interface RunView {
  readonly system: System
  readonly key: string
  readonly folder: string
  readonly archived: boolean
  readonly id: Fact<string>
  readonly title: Fact<string>
  readonly state: Fact<RunState>
  readonly reason: Fact<string>
  /** ms since 1970, from the run's own files; else their newest time. */
  readonly updatedAt: Fact<number>
  readonly currentPhase: Fact<string>
  readonly phases: readonly PhaseView[]
  readonly needs: readonly RunNeed[]
  readonly meters: readonly RunMeter[]
  readonly errors: readonly RunError[]
  readonly artefacts: readonly RunArtefact[]
}
