import { commandTable, type OwnedBy } from '@shared/contract/contract'
import { AppError } from '@shared/contract/errors'
import type { HeldJoystick } from '@shared/contract/machine'
import type { Space } from '@shared/contract/memory'
import type { LeftBehind } from '@shared/contract/steering'
import { leftParts } from '@shared/leftBehindText'
import { heldAt, holdJoystick, holdKeys } from '../machine/heldInputs'
import type { Machine } from '../machine/machine'
import type { Holder } from './leases'

export interface LeftMachines {
  live(machine: string): Machine
}

export interface FrozenValues {
  release(machine: string, space: Space, address: number): unknown
}

interface Traces {
  hasMoved: boolean
  warp: boolean
  slow: boolean
  keys: LeftBehind['keys']
  readonly joysticks: Map<number, HeldJoystick>
  readonly checkpoints: Set<number>
  readonly frozen: Map<string, { readonly space: Space; readonly address: number }>
}

type WhatIsSet = Omit<LeftBehind, 'machine' | 'name' | 'colour' | 'time'>

export interface CarriedOut {
  readonly command: OwnedBy<'bridge'>
  readonly input: unknown
  readonly output: unknown
}

export class LeftBehinds {
  readonly #machines: LeftMachines
  readonly #frozen: FrozenValues
  readonly #traces = new Map<number, Map<string, Traces>>()
  #left: LeftBehind[] = []

  constructor(machines: LeftMachines, frozen: FrozenValues) {
    this.#machines = machines
    this.#frozen = frozen
  }

  get all(): LeftBehind[] {
    return this.#left.flatMap((left) => {
      const machine = this.#liveOrNull(left.machine)
      const now = { ...left, ...(machine ? stillSo(machine, left) : {}) }
      return isNothing(now) ? [] : [now]
    })
  }

  note(agent: number, { command, input, output }: CarriedOut): void {
    const machine = machineIn(input)
    if (machine === undefined) return
    const traces = this.#tracesOf(agent, machine)
    const { effect } = commandTable[command]
    if (effect === 'runs' || effect === 'replaces') traces.hasMoved = true
    switch (command) {
      case 'machine.setWarp':
        traces.warp = commandTable[command].input.parse(input).warp
        break
      case 'running.slowly':
        traces.slow = true
        break
      case 'machine.setKeys':
        traces.keys = commandTable[command].input.parse(input).keys
        break
      case 'machine.setJoystick': {
        const { port, inputs } = commandTable[command].input.parse(input)
        traces.joysticks.set(port, { port, inputs })
        break
      }
      case 'machine.setCheckpoint':
        traces.checkpoints.add(commandTable[command].output.parse(output).number)
        break
      case 'machine.changeCheckpoint':
        this.#forgetCheckpoint(machine, commandTable[command].input.parse(input).number)
        traces.checkpoints.add(commandTable[command].output.parse(output).number)
        break
      case 'machine.deleteCheckpoint':
        this.#forgetCheckpoint(machine, commandTable[command].input.parse(input).number)
        break
      case 'values.freeze': {
        const { space, address } = commandTable[command].input.parse(input)
        traces.frozen.set(`${space} ${address}`, { space, address })
        break
      }
      case 'values.release': {
        const { space, address } = commandTable[command].input.parse(input)
        traces.frozen.delete(`${space} ${address}`)
        break
      }
      default:
    }
  }

  leave({ agent, name, colour }: Holder): string[] {
    const traces = this.#traces.get(agent) ?? new Map<string, Traces>()
    this.#traces.delete(agent)
    const left = [...traces].flatMap(([machine, set]): LeftBehind[] => {
      const live = this.#liveOrNull(machine)
      const { warp, slow, keys } = set
      const passing = { paused: set.hasMoved, warp, slow, keys, joysticks: [...set.joysticks.values()] }
      const now: LeftBehind = {
        machine,
        name,
        colour,
        time: Date.now(),
        ...(live ? stillSo(live, passing) : nothingPassing),
        checkpoints: [...set.checkpoints],
        frozen: [...set.frozen.values()],
      }
      return isNothing(now) ? [] : [now]
    })
    this.#left = [...this.#left, ...left].slice(-MAX_LEFT)
    return left.map(({ machine }) => machine)
  }

  async clear(machine: string, signal: AbortSignal): Promise<string> {
    const all = this.all.filter((left) => left.machine === machine)
    if (all.length === 0) return `No agent left anything at ${machine}.`
    const left: WhatIsSet = {
      paused: all.some(({ paused }) => paused),
      warp: all.some(({ warp }) => warp),
      slow: all.some(({ slow }) => slow),
      keys: [...new Set(all.flatMap(({ keys }) => keys))],
      joysticks: [...new Map(all.flatMap(({ joysticks }) => joysticks).map((one) => [one.port, one])).values()],
      checkpoints: [...new Set(all.flatMap(({ checkpoints }) => checkpoints))],
      frozen: all.flatMap(({ frozen }) => frozen),
    }
    const live = this.#machines.live(machine)
    for (const number of left.checkpoints) await unlessGone(live.checkpoints?.delete(number, signal))
    for (const { space, address } of left.frozen) await unlessGone(this.#release(machine, space, address))
    if (left.warp) await live.speed?.setWarp(false, signal)
    if (left.keys.length > 0) await holdKeys(live, [], signal)
    for (const { port } of left.joysticks) await holdJoystick(live, { port, inputs: [] }, signal)
    if (left.paused || left.slow) await live.execution?.resume(signal)
    this.#left = this.#left.filter((one) => one.machine !== machine)
    return `Taken back: ${leftParts(left)}.`
  }

  async #release(machine: string, space: Space, address: number): Promise<void> {
    await this.#frozen.release(machine, space, address)
  }

  #forgetCheckpoint(machine: string, number: number): void {
    for (const traces of this.#traces.values()) traces.get(machine)?.checkpoints.delete(number)
    this.#left = this.#left
      .map((left) =>
        left.machine === machine ? { ...left, checkpoints: left.checkpoints.filter((each) => each !== number) } : left,
      )
      .filter((left) => !isNothing(left))
  }

  #tracesOf(agent: number, machine: string): Traces {
    const machines = this.#traces.get(agent) ?? new Map<string, Traces>()
    this.#traces.set(agent, machines)
    const traces = machines.get(machine) ?? {
      hasMoved: false,
      warp: false,
      slow: false,
      keys: [],
      joysticks: new Map(),
      checkpoints: new Set(),
      frozen: new Map(),
    }
    machines.set(machine, traces)
    return traces
  }

  #liveOrNull(machine: string): Machine | null {
    try {
      return this.#machines.live(machine)
    } catch {
      return null
    }
  }
}

const MAX_LEFT = 100

type Passing = Pick<WhatIsSet, 'paused' | 'warp' | 'slow' | 'keys' | 'joysticks'>
const nothingPassing: Passing = { paused: false, warp: false, slow: false, keys: [], joysticks: [] }

function stillSo(machine: Machine, { paused, warp, slow, keys, joysticks }: Passing): Passing {
  const { status } = machine
  const held = heldAt(machine)
  return {
    paused: paused && status.execution === 'paused',
    warp: warp && status.warp,
    slow: slow && (status.slow ?? null) !== null,
    keys: keys.filter((key) => held.keys.includes(key)),
    joysticks: joysticks.flatMap(({ port, inputs }) => {
      const now = held.joysticks.find((one) => one.port === port)?.inputs ?? []
      const still = inputs.filter((input) => now.includes(input))
      return still.length === 0 ? [] : [{ port, inputs: still }]
    }),
  }
}

const isNothing = ({ paused, warp, slow, checkpoints, frozen, keys, joysticks }: WhatIsSet): boolean =>
  !paused && !warp && !slow && [checkpoints, frozen, keys, joysticks].every(({ length }) => length === 0)

function machineIn(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null || !('machine' in input)) return undefined
  return typeof input.machine === 'string' ? input.machine : undefined
}

/** What somebody else has already deleted or released is no error. */
async function unlessGone(work: Promise<void> | undefined): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'NOT_FOUND') throw error
  }
}
