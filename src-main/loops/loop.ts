/** A loop as the registry starts and stops it, and what it gets to work with. */
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
  /** It can be started without any agent that is set up. */
  readonly bringsAgent?: true
  /** A role without an agent is left out. */
  readonly hasOptionalRoles?: true
  /** Why its agents work in the project's folder alone; undefined where they can have a worktree of their own. */
  inPlace?(place: string): string | undefined
  /** What an agent is chosen for: `planner`, `executor` … */
  roles(place: LoopPlace): readonly string[] | Promise<readonly string[]>
  /** The agent that the run's files ask for, by role; without it the first agent has every role. */
  requestedAgents?(place: LoopPlace, names: readonly string[]): Promise<Readonly<Record<string, string>>>
  /** What it starts with where nobody typed other settings. @param chosen for the run, by the person @throws AppError INVALID where one cannot be told */
  settings?(place: LoopPlace, chosen: ChosenOptions): Promise<LoopSettings>
  /** How it is started once the person lifted what held it; with the same options where this is left out. */
  continued?(place: string, options: LoopOptions): LoopOptions
  /** Whether this start does everything anew, and takes over no agent that an earlier one left. */
  startsAnew?(place: string, options: LoopOptions): boolean
  /** Puts the first files of a run into a folder, absolute. @throws AppError INVALID when they cannot be made of this */
  init?(options: { readonly folder: string; readonly name: string; readonly idea: string }): Promise<Initialised>
  /** How an agent with these roles is tried before a run depends on it. */
  agentTest(roles: readonly string[]): AgentTest
  /** Reverts a task's commits, in the run's worktree where it has one; with `isTrial` only says what that would change. */
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
   * Continues from the files until it needs a person, is paused or is stopped. When it settles, none of its agents runs.
   * @throws AppError when it cannot continue; the files are valid then, too
   */
  run(work: LoopWork<LoopOptions<System>>): Promise<LoopEnd>
}

export interface LoopSettings {
  readonly settings: Output<'loops.setup'>['settings']
  /** Those that the project's own `.env` puts on agents' command lines, in lines; empty for none. */
  readonly envWords: string
}

/** Of an agent that is asked for. */
export interface SpawnHooks {
  readonly follow?: FollowAgentRun
  /** Stops this agent alone. */
  readonly signal?: AbortSignal
  /** Absolute: where this agent works instead of where the loop's others do. */
  readonly workFolder?: string
}

export interface RunPlace {
  /** The project's folder, links resolved. */
  readonly root: string
  /** Of the run, relative to it, with `/`; empty for the project's own. */
  readonly folder: string
}

/** With the place that names the loop, relative to `root`. */
export interface LoopPlace extends RunPlace {
  readonly place: string
}

export type AnnounceWrite = (change: FileChange) => Promise<() => void>

export interface LoopEnd {
  readonly outcome: LoopOutcome | 'paused'
  /** In one sentence. */
  readonly message: string
  /** What the person does next. */
  readonly hint?: string
  /** Exit code of the command line, where the format has its own. */
  readonly code?: number
}

export interface TurnRequest extends Omit<AgentRequest, 'agent' | 'cwd' | 'turn'> {
  readonly agent?: string | undefined
  /** Key of the task that it works on. */
  readonly task?: string | undefined
}

export interface LoopWork<Options = LoopOptions> extends LoopPlace {
  /** Bridgedeck's own folder for this run, for what its format has no place for. It exists. */
  readonly own: string
  /** Aborted when the person stops it, or Bridgedeck ends. */
  readonly signal: AbortSignal
  /** Whether the person wants it to pause: checked between two agents. */
  readonly isPausing: () => boolean
  /** Aborted at that moment. */
  readonly pauses: AbortSignal
  /** Whether the program of an agent is on this computer. */
  readonly hasProgram: (agent: string) => boolean
  /** Absolute: where agents work. The run's folder, or what stands for it in the run's worktree. */
  readonly workFolder: string
  readonly isInWorktree: boolean
  /** The leave to run git in {@link workFolder}. @throws AppError FORBIDDEN when the project is not trusted any more */
  trusted(): TrustedFolder
  /** What Bridgedeck keeps of the run beside its files. */
  readonly remembered: Remembered
  /** The same for all runs in its folder. */
  readonly rememberedOfFolder: Remembered
  /** Where what holds it is kept, and how far its limits were raised: beside the run that shows this. */
  readonly holds: Remembered
  /** What agents have used by now, and may use. */
  readonly budget: () => Budget
  /** Agents of other loops in the tree where its own work. */
  readonly elsewhere: Elsewhere
  /** Of this start alone. */
  readonly options: Options
  /** The agents that are set up. */
  readonly agents: readonly string[]
  /** The one that the person chose for this role. */
  readonly chosen: (role: string) => string | undefined
  /**
   * To be awaited before a file of the run is changed, so that Bridgedeck does not take it for another program's change.
   * @param change its path relative to the project
   * @returns to be called once it is written
   */
  readonly announceWrite?: AnnounceWrite
  /** Runs an agent in {@link workFolder}: the one that is named, else the one that has this role; a stop ends it. */
  spawn(role: string, request: TurnRequest, hooks?: SpawnHooks): Promise<AgentResult>
  /**
   * Waits for an agent that an earlier host started for it; a stop ends it.
   * @param request its time limit counts from its start
   * @returns null where it was stopped before, or is not known any more
   */
  adopt(role: string, run: string, request?: AdoptionRequest, hooks?: SpawnHooks): Promise<AgentResult | null>
  /**
   * Runs a command line that the person approved, in the run's folder; a stop ends it.
   * @param timeLimit ms
   * @param workFolder absolute: where an agent worked apart from the loop's others
   * @throws AppError FORBIDDEN when the project is not trusted any more
   */
  check(task: string, command: string, timeLimit: number, workFolder?: string): Promise<AgentResult>
  /**
   * Whether it goes on past an end that waits for a person: this start asks nobody, and what it waits for was answered as its
   * format recommends.
   */
  continuesPast(outcome: LoopEnd['outcome']): Promise<boolean>
  /** What it is at now; a line of its log. */
  step(text: string): void
  log(level: LogLevel, text: string): void
}

export interface Remembered {
  get(name: string): string | undefined
  /** All of them or none; `null` takes one away. */
  set(values: Readonly<Record<string, string | null>>): void
}
