import type { PresetName } from '@shared/agentPresets'
import type { AgentRun, AgentTurn, ServiceRefusal } from '@shared/contract/agents'
import type { AgentSlots } from './agentSlots'
import type { OwnVariables } from './environment'

export interface AgentRequest {
  /** A project's files may name it, but set nothing of it. */
  readonly agent: string
  /** A known program with its suggested settings. Only for a start that a person typed. */
  readonly preset?: PresetName
  /** Its machine rights are the upper limit. */
  readonly standsInFor?: Pick<AgentRequest, 'agent' | 'preset'>
  /** For the system's shell, instead of an agent. The person has approved it. */
  readonly shell?: string
  readonly prompt: string
  readonly cwd: string
  /** Null where git does not know; asked for programs whose own tools hide it. */
  readonly identity?: () => Promise<{ readonly name: string; readonly email: string } | null>
  readonly purpose: string
  readonly turn?: AgentTurn
  readonly model?: string
  /** ms; the shorter of this and the agent's own limit counts. */
  readonly timeLimit?: number
  /** For this start only. The names come from our code, never from a project's file. */
  readonly environment?: OwnVariables
  readonly args?: readonly string[]
  readonly printsOneObject?: boolean
  /** Absolute paths; each file gets a byte-for-byte copy. */
  readonly copies?: AgentCopies
  /** Costs one more process; the exit code then survives a crash of ours. */
  readonly notesEnd?: boolean
  /** Starts even where the limit of running agents is reached. */
  readonly isAwaited?: boolean
  readonly problemOf?: (answer: string) => string | null
  readonly onLine?: (line: string) => void
  readonly group?: AgentGroup
  /** Asked once it has its places; false keeps it from starting. */
  readonly mayStart?: () => boolean
  readonly onEnd?: (result: AgentResult) => void
  /** Awaited while it has its places: before its process starts, and once its whole process tree has ended. */
  readonly around?: { readonly begin: () => Promise<void>; readonly end: () => Promise<void> }
}

export type AdoptionRequest = Pick<AgentRequest, 'timeLimit' | 'copies' | 'group'>

export interface AgentCopies {
  readonly output: string
  readonly errors: string
}

export interface AgentGroup {
  readonly title: string
  readonly slots: AgentSlots
}

/**
 * `success`: ended by itself with exit code 0 and reported no error. `error`: could not be started, ended otherwise, or
 * reported one. `timeout`, `limit` (turns or cost) and `stopped` (by the person): it was ended.
 */
export type AgentStatus = 'success' | 'error' | 'timeout' | 'limit' | 'stopped'

export interface AgentResult {
  readonly status: AgentStatus
  readonly agent?: string
  /** Untrusted text. */
  readonly data: string
  readonly reason: string
  readonly refusal?: ServiceRefusal | undefined
  readonly tokens: number | null
  /** USD; null where the agent did not say and the person's prices do not tell. */
  readonly cost: number | null
  /** Date of the prices that `cost` was worked out from; absent where the agent told its cost. */
  readonly pricesOf?: string
  /** ms */
  readonly duration: number
  /** Null when a signal ended it or it never started. */
  readonly exitCode: number | null
  readonly stillAlive: readonly number[]
  readonly log: string
}

export type FollowAgentRun = (run: AgentRun) => void

export const isWithoutAnswer = ({ status, exitCode }: Pick<AgentResult, 'status' | 'exitCode'>): boolean =>
  status === 'stopped' || (status === 'error' && exitCode === null)

export interface AgentRunner {
  /**
   * Waits for a place at the limit. Settles once the whole process tree is gone or known to be alive still; an abort
   * stops it.
   */
  run(request: AgentRequest, signal: AbortSignal, follow?: FollowAgentRun): Promise<AgentResult>
  /**
   * Takes its places at once; its time limit counts from its start. An abort stops it.
   * @returns null where it was stopped before, never began, or is not known any more
   */
  adopt(
    run: string,
    signal: AbortSignal,
    request?: AdoptionRequest,
    follow?: FollowAgentRun,
  ): Promise<AgentResult | null>
  readonly names: readonly string[]
}
