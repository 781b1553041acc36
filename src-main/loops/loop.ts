import type { ChosenOptions, LoopOptions } from '@shared/contract/loopOptions'
import type { Output } from '@shared/contract/contract'
import type { LogLevel, LoopOutcome, LoopSystem } from '@shared/contract/loops'
import type { Worktree } from '@shared/worktree'
import type { FileChange } from '../formats/edit/action'
import type { AdoptionRequest, AgentRequest, AgentResult, FollowAgentRun } from '../agents/agent'
import type { RollbackPlan, RollbackResult } from '../git/rollback'
import type { TrustedFolder } from '../git/trustedFolder'
import type { AgentTest } from './agentTests'
import type { Budget } from './ceilings'
import type { Initialised } from './newFiles'
import type { Elsewhere } from './treeAgents'

export interface Loop<System extends LoopSystem = LoopSystem> {
  readonly system: System
  readonly bringsAgent?: true
  readonly hasOptionalRoles?: true
  inPlace?(place: string): string | undefined
  roles(place: LoopPlace): readonly string[] | Promise<readonly string[]>
  /** As the run's files ask; without this the first agent has every role. */
  requestedAgents?(place: LoopPlace, names: readonly string[]): Promise<Readonly<Record<string, string>>>
  /** @throws AppError INVALID where a setting cannot be told */
  settings?(place: LoopPlace, chosen: ChosenOptions): Promise<LoopSettings>
  continued?(place: string, options: LoopOptions): LoopOptions
  startsAnew?(place: string, options: LoopOptions): boolean
  /**
   * Writes the first files of a run; `folder` is absolute.
   * @throws AppError INVALID when they cannot be made of this
   */
  init?(options: { readonly folder: string; readonly name: string; readonly idea: string }): Promise<Initialised>
  agentTest(roles: readonly string[]): AgentTest
  rollBack?(
    at: TrustedFolder,
    folder: string,
    task: string,
    isTrial: boolean,
    signal: AbortSignal,
    worktree: Worktree | undefined,
    announceWrite?: AnnounceWrite,
  ): Promise<{ readonly plan: RollbackPlan; readonly result: RollbackResult | null }>
  /**
   * Ends when a person is needed, or on a pause or stop. Once settled, none of its agents runs.
   * @throws AppError when it cannot continue; the files stay valid
   */
  run(work: LoopWork<LoopOptions<System>>): Promise<LoopEnd>
}

export interface LoopSettings {
  readonly settings: Output<'loops.setup'>['settings']
  /** One a line; empty for none. The project's `.env` adds these words to agents' command lines. */
  readonly envWords: string
}

export interface SpawnHooks {
  readonly follow?: FollowAgentRun
  readonly signal?: AbortSignal
  readonly workFolder?: string
}

export interface RunPlace {
  readonly root: string
  /** The run's folder relative to `root`, with `/`; empty for the project's own. */
  readonly folder: string
}

export interface LoopPlace extends RunPlace {
  readonly place: string
}

export type AnnounceWrite = (change: FileChange) => Promise<() => void>

export interface LoopEnd {
  readonly outcome: LoopOutcome | 'paused'
  readonly message: string
  readonly hint?: string
  readonly code?: number
}

export interface TurnRequest extends Omit<AgentRequest, 'agent' | 'cwd' | 'turn'> {
  readonly agent?: string | undefined
  readonly task?: string | undefined
}

export interface LoopWork<Options = LoopOptions> extends LoopPlace {
  /** It exists. */
  readonly own: string
  readonly signal: AbortSignal
  readonly isPausing: () => boolean
  readonly pauses: AbortSignal
  readonly hasProgram: (agent: string) => boolean
  /** Absolute: the run's folder, or its counterpart in the run's worktree. */
  readonly workFolder: string
  readonly isInWorktree: boolean
  /** @throws AppError FORBIDDEN when the project is not trusted any more */
  trusted(): TrustedFolder
  readonly remembered: Remembered
  readonly rememberedOfFolder: Remembered
  readonly holds: Remembered
  readonly budget: () => Budget
  readonly elsewhere: Elsewhere
  readonly options: Options
  readonly agents: readonly string[]
  readonly chosen: (role: string) => string | undefined
  /**
   * To be awaited before a file of the run is changed, so that Bridgedeck does not take it for another program's
   * change.
   * @param change its path is relative to the project
   * @returns to be called once the file is written
   */
  readonly announceWrite?: AnnounceWrite
  /** A stop ends the agent. */
  spawn(role: string, request: TurnRequest, hooks?: SpawnHooks): Promise<AgentResult>
  /**
   * The agent was started by an earlier host; a stop ends it.
   * @param request its time limit counts from the agent's start
   * @returns null where the agent was stopped before, or is not known any more
   */
  adopt(role: string, run: string, request?: AdoptionRequest, hooks?: SpawnHooks): Promise<AgentResult | null>
  /**
   * The person has approved the command line; a stop ends it.
   * @param timeLimit ms
   * @param workFolder absolute
   * @throws AppError FORBIDDEN when the project is not trusted any more
   */
  check(task: string, command: string, timeLimit: number, workFolder?: string): Promise<AgentResult>
  continuesPast(outcome: LoopEnd['outcome']): Promise<boolean>
  step(text: string): void
  log(level: LogLevel, text: string): void
}

export interface Remembered {
  get(name: string): string | undefined
  /** All of them or none; `null` removes one. */
  set(values: Readonly<Record<string, string | null>>): void
}
