import { MAESTRO_BATCHES } from '@shared/formats/systems'
import type { SpendingStore, Spent } from '../storage/spending'
import type { Budget, Usage } from './ceilings'

/** `2026-11-23`, in the computer's time zone. */
export function localDay(time = new Date()): string {
  const two = (number: number) => String(number).padStart(2, '0')
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
}

const HALF_DAY_MS = 12 * 3_600_000

/** A night lasts from noon to noon; it has the day on which it began. */
export const localNight = (time = new Date()): string => localDay(new Date(time.getTime() - HALF_DAY_MS))

export function budgetOf(
  spending: SpendingStore,
  limits: Budget['limits'],
  { project, run }: { readonly project: number; readonly run: string },
  costProblem: string | null = null,
): Budget {
  const [day, night] = [localDay(), localNight()]
  return {
    limits,
    day,
    night,
    costProblem,
    subject: run === MAESTRO_BATCHES ? 'the project’s batches' : 'this run',
    used: {
      run: usageOf(spending.ofRun(project, run)),
      day: usageOf(spending.ofDay(day)),
      night: usageOf(spending.ofNight(night)),
      total: usageOf(spending.total),
    },
  }
}

const usageOf = ({ cost, milliseconds, unpriced, estimated }: Spent): Usage => ({
  cost,
  hours: milliseconds / 3_600_000,
  unpriced,
  estimated,
})
