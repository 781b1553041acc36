import { readMachineName } from '@shared/contract/machineName'
import { setViewValue, useViewState, viewValue } from './viewState'

const KEY = 'machines.recent'
const MAX_RECENT_MACHINES = 8

const isMachine = (name: unknown): name is string => typeof name === 'string' && readMachineName(name) !== undefined

function readRecent(stored: unknown): readonly string[] {
  const names: readonly unknown[] = Array.isArray(stored) ? stored : []
  return names.filter(isMachine).slice(0, MAX_RECENT_MACHINES)
}

export function rememberMachine(machine: string): void {
  if ((readMachineName(machine)?.link ?? null) === null) return
  const others = viewValue(KEY, readRecent).filter((name) => name !== machine)
  setViewValue(KEY, [machine, ...others].slice(0, MAX_RECENT_MACHINES))
}

export const forgetRecentMachine = (machine: string): void =>
  setViewValue(
    KEY,
    viewValue(KEY, readRecent).filter((name) => name !== machine),
  )

export const useRecentMachines = (): readonly string[] => useViewState(KEY, readRecent)[0]
