import { create } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import type { Capability, MachineState } from '@shared/contract/machine'
import type { BridgeState } from '@shared/contract/window'

const DEFAULT_MACHINE = 'builtin'

interface Machines {
  /** The built-in one first. */
  readonly machines: readonly MachineState[]
  readonly front: string
  readonly bridge: BridgeState
}

/** Frames are not here: they are in the frame store. */
export const useMachines = create<Machines>(() => ({
  machines: [],
  front: DEFAULT_MACHINE,
  bridge: { state: 'starting', reason: null, recentEnds: 0 },
}))

export const findMachine = ({ machines }: Pick<Machines, 'machines'>, name: string): MachineState | undefined =>
  machines.find((state) => state.machine === name)

export type MachineTitles = Readonly<Partial<Record<string, string>>>

export const machineTitles = ({ machines }: Pick<Machines, 'machines'>): MachineTitles =>
  Object.fromEntries(machines.map(({ machine, title }) => [machine, title]))

export const titleOfMachine = (titles: MachineTitles, machine: string | null): string =>
  machine === null ? '' : (titles[machine] ?? machine)

export const useMachineTitles = (): MachineTitles => useMachines(useShallow(machineTitles))

export const frontMachine = (): MachineState | undefined =>
  findMachine(useMachines.getState(), useMachines.getState().front)

export const useFrontName = (): string => useMachines((state) => state.front)
export const useFrontMachine = (): MachineState | undefined => useMachines((state) => findMachine(state, state.front))
export const useBridge = (): BridgeState => useMachines((state) => state.bridge)

/** Commands make sense; a stale machine still answers now and then. */
export const isConnected = (state: MachineState | undefined): boolean =>
  state?.connection === 'live' || state?.connection === 'stale'

export const canBeFollowed = (state: MachineState | undefined): boolean =>
  state !== undefined && (state.execution === 'paused' || state.execution === 'jammed' || state.slow !== null)

export function limitOf(state: MachineState | undefined, capability: Capability): string | null {
  if (!state) return 'No machine is chosen.'
  if (!isConnected(state)) return `${state.title} is not connected.`
  return state.capabilities[capability]
}

export const useLimit = (capability: Capability): string | null => limitOf(useFrontMachine(), capability)

/** Null also where the machine is not connected: what it told before stays in view. */
export function useLack(capability: Capability): string | null {
  const state = useFrontMachine()
  return state && isConnected(state) ? state.capabilities[capability] : null
}
