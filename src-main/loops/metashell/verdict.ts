import type { LogLevel } from '@shared/contract/loops'
import type { LoopEnd } from '../loop'
import type { Change } from './keyPath'

export type HaltReason =
  | 'task_failed'
  | 'task_blocked'
  | 'task_timeout'
  | 'task_limit'
  | 'task_error'
  | 'summary_unreadable'
  | 'commit_missing'
  | 'commit_not_new'
  | 'checkpoint'
  | 'dependency_violation'
  | 'plan_unreadable'
  | 'plan_invalid'
  | 'plan_timeout'
  | 'plan_error'
  | 'verification_unreadable'
  | 'verification_timeout'
  | 'verification_error'
  | 'phase_complete'
  | 'max_retries_exceeded'

export interface Verdict {
  readonly changes: readonly Change[]
  readonly log: readonly { readonly level: LogLevel; readonly text: string }[]
  readonly end?: LoopEnd
}

export const halt = (reason: HaltReason, lastError: string, end: LoopEnd): Verdict => ({
  changes: [
    ['status', 'halted'],
    ['variables.halt_reason', reason],
    ['variables.last_error', lastError === '' ? undefined : lastError],
  ],
  log: [],
  end,
})

export const clearHalt = (variables: ReadonlyMap<string, unknown>): Change[] =>
  ['halt_reason', 'last_error'].flatMap((name): Change[] =>
    variables.has(name) ? [[`variables.${name}`, undefined]] : [],
  )

export const failedEnd = (id: string, why: string): LoopEnd => ({
  outcome: 'failed',
  message: `Task ${id} failed${why === '' ? '.' : `: ${why}`}`,
  hint: 'Retry it, roll it back, or change the plan.',
})
export const phaseEnd = ({ phase, isLastPhase }: { phase: string; isLastPhase: boolean }): LoopEnd =>
  isLastPhase
    ? {
        outcome: 'done',
        message: `Project complete: context.md names no phase after phase ${phase}.`,
        hint: 'To continue, add the next phase to context.md.',
      }
    : { outcome: 'gate', message: 'Phase Complete', hint: 'Review this phase, then start the next one.' }
export const breakerEnd = (gapCount: number): LoopEnd => ({
  outcome: 'breaker',
  message: `Max Retries Exceeded: verification still fails after ${gapCount} re-plan${gapCount === 1 ? '' : 's'}.`,
  hint: 'Review the gaps, fix their cause, then reset the circuit breaker.',
})

export const info = (text: string) => ({ level: 'info' as const, text })
export const warn = (text: string) => ({ level: 'warn' as const, text })
