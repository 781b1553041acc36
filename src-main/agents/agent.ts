/** What the loops know of an agent: a command line that the person set up, given a prompt, giving back what it said and used. */
import type { PresetName } from '@shared/agentPresets'
import type { AgentRun, AgentTurn, ServiceRefusal } from '@shared/contract/agents'
import type { AgentSlots } from './agentSlots'
import type { OwnVariables } from './environment'

export interface AgentRequest {
  /** Name of an agent as the person set it up; the project's files may name it, and nothing else of it. */
  readonly agent: string
  /** Instead of one that is set up: a known program as it is suggested. For a start that a person typed. */
  readonly preset?: PresetName
  /** The agent whose turn it takes: it may do no more at the machines than that one. */
  readonly standsInFor?: Pick<AgentRequest, 'agent' | 'preset'>
  /** Instead of an agent: a command line for the system's shell that the person has approved. */
  readonly shell?: string
  /** On standard input. */
  readonly prompt: string
  /** The working folder: a trusted project. */
  readonly cwd: string
  /** Who commits there, null where git does not know; asked for a program whose own tools hide it. */
  readonly identity?: () => Promise<{ readonly name: string; readonly email: string } | null>
  /** What for, as the list of agents shows it: `metashell /projects/one: executor 02-01`. */
  readonly purpose: string
  /** Not given for a test. */
  readonly turn?: AgentTurn
  /** Only a preset that knows models takes it. */
  readonly model?: string
  /** ms; the shorter of this and the agent's own limit counts. */
  readonly timeLimit?: number
  /** Of this start alone. Their names come from our code, never from a project's file. */
  readonly environment?: OwnVariables
  /** Of this start alone, after the agent's own. */
  readonly args?: readonly string[]
  /** One JSON object at its end instead of events, where its preset can print that. */
  readonly printsOneObject?: boolean
  /** Absolute paths at which all that it prints is found as well, byte for byte, from its start on. */
  readonly copies?: AgentCopies
  /** How it ends is noted, at the price of one more process, so that its exit code outlives a crash of ours. */
  readonly notesEnd?: boolean
  /** A person waits for it: it starts also where as many run as may. */
  readonly isAwaited?: boolean
  /** Why an answer is none, as in a test of the agent: its run has failed then. */
  readonly problemOf?: (answer: string) => string | null
  /** Called with the last line that it printed, while it runs. */
  readonly onLine?: (line: string) => void
  /** Agents that wait for a place among themselves, before one among all. */
  readonly group?: AgentGroup
  /** Asked once it has its places; when not, it is stopped before it starts. */
  readonly mayStart?: () => boolean
  /** Called before its places go to others. */
  readonly onEnd?: (result: AgentResult) => void
  /** Awaited while it has its places: before its process starts, and once its whole process tree has ended. */
  readonly around?: { readonly begin: () => Promise<void>; readonly end: () => Promise<void> }
}

/** Of one that runs already: what it is to have as if it had just been asked for. */
export type AdoptionRequest = Pick<AgentRequest, 'timeLimit' | 'copies' | 'group'>

export interface AgentCopies {
  readonly output: string
  readonly errors: string
}

export interface AgentGroup {
  /** `batch 2026-11-23` */
  readonly title: string
  readonly slots: AgentSlots
}

/**
 * `success`: it ended by itself with exit code 0 and said no error. `error`: it could not be started, ended otherwise, or said so.
 * `timeout`, `limit` (turns or cost) and `stopped` (by the person): it was ended.
 */
export type AgentStatus = 'success' | 'error' | 'timeout' | 'limit' | 'stopped'

export interface AgentResult {
  readonly status: AgentStatus
  /** Its name; absent where no agent ran. */
  readonly agent?: string
  /** Its answer as its preset's parser found it: foreign text. */
  readonly data: string
  /** Why it is not a success, in one sentence; empty otherwise. */
  readonly reason: string
  /** Its service refused it, which a later try may change. */
  readonly refusal?: ServiceRefusal | undefined
  /** Null: it did not say. */
  readonly tokens: number | null
  /** USD. Null: it did not say, and the person's prices do not tell. */
  readonly cost: number | null
  /** Date of the prices that `cost` was worked out from; absent where it said so itself. */
  readonly pricesOf?: string
  /** ms */
  readonly duration: number
  /** As it ended, whatever `status` makes of it; null when a signal ended it or it never started. */
  readonly exitCode: number | null
  /** Whether a process of its tree outlived being stopped. */
  readonly stillAlive: readonly number[]
  /** Of its log among the agents' runs. */
  readonly log: string
}

/** Hears of a run when it is asked for, and of each of its states. */
export type FollowAgentRun = (run: AgentRun) => void

/** It was stopped, or a signal ended it, or nobody saw how it ended, before its last word: its turn is still to be taken. */
export const isWithoutAnswer = ({ status, exitCode }: Pick<AgentResult, 'status' | 'exitCode'>): boolean =>
  status === 'stopped' || (status === 'error' && exitCode === null)

export interface AgentRunner {
  /** Waits for a place when as many run as may. Settles once its whole process tree is gone or known to be alive still; an abort stops it. */
  run(request: AgentRequest, signal: AbortSignal, follow?: FollowAgentRun): Promise<AgentResult>
  /**
   * Waits for one that an earlier bridge started and this one did not see begin; an abort stops it.
   * It takes its places at once, as it runs; its time limit counts from its start.
   * @returns null where it was stopped before, never began, or is not known any more
   */
  adopt(
    run: string,
    signal: AbortSignal,
    request?: AdoptionRequest,
    follow?: FollowAgentRun,
  ): Promise<AgentResult | null>
  /** The agents that are set up, by name. */
  readonly names: readonly string[]
}
