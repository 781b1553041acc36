import { formatAddress } from '@shared/c64/address'
import type { Awaited, Outcome } from '@shared/contract/running'
import { AppError } from '@shared/contract/errors'
import { goOnHint } from '@shared/outcomeProblem'
import { describePlace, describeScreen } from '@shared/outcomeText'
import { screenTextOf } from './screenText'
import type { Session } from './session'

export const outcomeOf = (
  { client }: Session,
  machine: string,
  { awaits, seconds }: { readonly awaits: Awaited; readonly seconds: number },
  signal: AbortSignal,
): Promise<Outcome> => client.call('running.outcome', { machine, awaits, seconds }, signal)

export const outcomeData = {
  execution: 'running, paused, jammed or unknown',
  pc: 'such as $C003, or null',
  stop: '{ checkpoint, pc, … }: what stopped it, or null',
  rows: 'the text screen: 25 texts, or null',
} as const

export const dataOf = ({ execution, pc, stop, rows }: Outcome) => ({
  execution,
  stop,
  rows,
  pc: pc === null ? null : formatAddress(pc),
})

export function outcomeLines(outcome: Outcome, wholeScreen = false): string[] {
  const screen = wholeScreen && outcome.rows ? screenTextOf({ rows: outcome.rows }) : describeScreen(outcome)
  return [describePlace(outcome), screen].filter((line) => line !== '')
}

/** @throws AppError TIMEOUT or CONFLICT with the screen's text, where the awaited text did not come */
export function requireText(
  machine: string,
  { awaited, seconds }: { readonly awaited: string; readonly seconds: number },
  outcome: Outcome,
): void {
  if (outcome.ended === 'come') return
  const screen = outcome.rows === null ? '' : `It shows:\n${screenTextOf({ rows: outcome.rows })}`
  if (outcome.ended === 'late')
    throw new AppError('TIMEOUT', `The screen of ${machine} did not show “${awaited}” in ${seconds} s.`, {
      hint: screen,
    })
  throw new AppError(
    'CONFLICT',
    `${machine} stopped before its screen showed “${awaited}”. ${describePlace(outcome)}`,
    {
      hint: [goOnHint(outcome), screen].join('\n'),
    },
  )
}
