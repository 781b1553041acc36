import type { C64Key, JoystickInput } from '@shared/c64/keyboardMatrix'
import type { HeldJoystick } from '@shared/contract/machine'
import { requireFacet, type Machine } from './machine'

interface HeldInputs {
  readonly keys: readonly C64Key[]
  readonly joysticks: readonly HeldJoystick[]
}

const nothing: HeldInputs = { keys: [], joysticks: [] }
const ofMachines = new WeakMap<Machine, HeldInputs>()

export const heldAt = (machine: Machine): HeldInputs => ofMachines.get(machine) ?? nothing

export async function holdKeys(machine: Machine, keys: readonly C64Key[], signal: AbortSignal): Promise<void> {
  await requireFacet(machine, 'keyMatrix').setKeys(keys, signal)
  ofMachines.set(machine, { ...heldAt(machine), keys })
}

export async function holdJoystick(
  machine: Machine,
  { port, inputs }: { readonly port: 1 | 2; readonly inputs: readonly JoystickInput[] },
  signal: AbortSignal,
): Promise<void> {
  await requireFacet(machine, 'joystick').setJoystick(port, inputs, signal)
  const others = heldAt(machine).joysticks.filter((one) => one.port !== port)
  const joysticks = inputs.length === 0 ? others : [...others, { port, inputs: [...inputs] }]
  ofMachines.set(machine, { ...heldAt(machine), joysticks })
}
