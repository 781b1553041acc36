import { create } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import type { Capability, MachineState } from '@shared/contract/machine'
import type { BridgeState } from '@shared/contract/window'

const DEFAULT_MACHINE = 'builtin'

interface Machines {
  /** Every machine that is connected or can be, the built-in one first. */
  readonly machines: readonly MachineState[]
  /** The name of the machine that the views show. */
  readonly front: string
  readonly bridge: BridgeState
}

/** What the window knows of the machines and of the bridge process. Frames are not here: they are in the frame store. */
export const useMachines = create<Machines>(() => ({
  machines: [],
  front: DEFAULT_MACHINE,
  bridge: { state: 'starting', reason: null, recentEnds: 0 },
}))

export const findMachine = ({ machines }: Pick<Machines, 'machines'>, name: string): MachineState | undefined =>
  machines.find((state) => state.machine === name)

/** By the machines' names; what is not in it is called by its name. */
export type MachineTitles = Readonly<Partial<Record<string, string>>>

export const machineTitles = ({ machines }: Pick<Machines, 'machines'>): MachineTitles =>
  Object.fromEntries(machines.map(({ machine, title }) => [machine, title]))

/** Empty where it is unknown which one. */
export const titleOfMachine = (titles: MachineTitles, machine: string | null): string =>
  machine === null ? '' : (titles[machine] ?? machine)

export const useMachineTitles = (): MachineTitles => useMachines(useShallow(machineTitles))

export const frontMachine = (): MachineState | undefined =>
  findMachine(useMachines.getState(), useMachines.getState().front)

export const useFrontName = (): string => useMachines((state) => state.front)
export const useFrontMachine = (): MachineState | undefined => useMachines((state) => findMachine(state, state.front))
export const useBridge = (): BridgeState => useMachines((state) => state.bridge)

/** Connected, so that commands make sense; a stale machine still answers now and then. */
export const isConnected = (state: MachineState | undefined): boolean =>
  state?.connection === 'live' || state?.connection === 'stale'

/** Whether it stands or is in slow motion, so that each of its instructions can be followed. */
export const canBeFollowed = (state: MachineState | undefined): boolean =>
  state !== undefined && (state.execution === 'paused' || state.execution === 'jammed' || state.slow !== null)

/** Why the machine cannot do this now, in one sentence; null when it can. */
export function limitOf(state: MachineState | undefined, capability: Capability): string | null {
  if (!state) return 'No machine is chosen.'
  if (!isConnected(state)) return `${state.title} is not connected.`
  return state.capabilities[capability]
}

/** {@link limitOf} for the machine in front, following its changes. */
export const useLimit = (capability: Capability): string | null => limitOf(useFrontMachine(), capability)

/** Why the machine in front never has this; null where it has, or is not connected: what it told before stays in view then. */
export function useLack(capability: Capability): string | null {
  const state = useFrontMachine()
  return state && isConnected(state) ? state.capabilities[capability] : null
}
