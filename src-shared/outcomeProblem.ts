import { AppError } from './contract/errors'
import type { Outcome } from './contract/running'
import { describePlace } from './outcomeText'

export const goOnHint = ({ stop }: Pick<Outcome, 'stop'>): string =>
  stop === null
    ? 'Resume the machine.'
    : `Resume the machine, or delete checkpoint ${stop.checkpoint} first, so that it does not stop there again.`

/** How long a program that reads the keyboard may take to read typed text, s. */
export const takeSeconds = (text: string): number => 2 + text.length / 50

/** Commodore's KERNAL takes two and a half; a cartridge shows no prompt. */
export const BOOT_SECONDS = 4

/** @throws AppError INVALID for a jam or an error of BASIC, CONFLICT where the program was stopped before it began */
export function requireGoodRun(name: string, started: boolean | null, outcome: Outcome): void {
  const { execution, reason, error, rows } = outcome
  if (execution === 'jammed') throw new AppError('INVALID', `${name}: ${reason ?? 'The CPU is jammed.'}`)
  if (started === false && execution === 'paused')
    throw new AppError('CONFLICT', `${name} is loaded, but has not begun. ${describePlace(outcome)}`, {
      hint: goOnHint(outcome),
    })
  if (error === null) return
  const hint = rows ? { hint: `The screen shows:\n${rows.map((row) => row.trimEnd()).join('\n')}` } : {}
  throw new AppError('INVALID', `${name} ended with ${error}`, hint)
}
