import { readMachineName } from '@shared/contract/machineName'
import { useRecentMachines } from '../../client/recentMachines'
import { guides } from './guides'
import type { Offer } from './rows'

/** By its kind, for a machine of which only the name is known. */
export function titleOf(machine: string): string {
  const kind = readMachineName(machine)?.kind
  return kind === undefined ? machine : guides[kind].title
}

/** Machines that were connected before, also before a restart. */
export const useRecentOffers = (): readonly Offer[] =>
  useRecentMachines().map((machine) => ({ machine, title: titleOf(machine) }))
