import { readMachineName } from '@shared/contract/machineName'
import { useRecentMachines } from '../../client/recentMachines'
import { guides } from './guides'
import type { Offer } from './rows'

export function titleOf(machine: string): string {
  const kind = readMachineName(machine)?.kind
  return kind === undefined ? machine : guides[kind].title
}

export const useRecentOffers = (): readonly Offer[] =>
  useRecentMachines().map((machine) => ({ machine, title: titleOf(machine) }))
