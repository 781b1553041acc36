import type { C64Key, JoystickInput } from '@shared/c64/keyboardMatrix'
import { SerialQueue } from '@shared/serialQueue'
import { typeThroughBuffer } from '../cpuView'
import type { InputEvent, UltimateApi } from './api'

/** The device takes at most this many keys in one event. */
const MAX_INPUTS_PER_EVENT = 8

/** RESTORE can only be tapped, and only alone. */
export function keyEvents(held: ReadonlySet<C64Key>, wanted: ReadonlySet<C64Key>): InputEvent[] {
  const released = [...held].filter((key) => !wanted.has(key) && key !== 'restore')
  const pressed = [...wanted].filter((key) => !held.has(key) && key !== 'restore')
  const isRestore = wanted.has('restore') && !held.has('restore')
  return [
    ...inGroups(released).map((inputs) => ({ kind: 'keyboard', inputs, transition: 'release' }) as const),
    ...inGroups(pressed).map((inputs) => ({ kind: 'keyboard', inputs, transition: 'press' }) as const),
    ...(isRestore ? [{ kind: 'keyboard', inputs: ['restore'], transition: 'tap' } as const] : []),
  ]
}

export function joystickEvents(
  port: 1 | 2,
  held: ReadonlySet<JoystickInput>,
  wanted: ReadonlySet<JoystickInput>,
): InputEvent[] {
  const released = [...held].filter((input) => !wanted.has(input))
  const pressed = [...wanted].filter((input) => !held.has(input))
  return [
    ...(released.length > 0 ? [{ kind: 'joystick', port, inputs: released, transition: 'release' } as const] : []),
    ...(pressed.length > 0 ? [{ kind: 'joystick', port, inputs: pressed, transition: 'press' } as const] : []),
  ]
}

const inGroups = <T>(items: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / MAX_INPUTS_PER_EVENT) }, (_, index) =>
    items.slice(index * MAX_INPUTS_PER_EVENT, (index + 1) * MAX_INPUTS_PER_EVENT),
  )

export class Input {
  readonly #api: UltimateApi
  #keys: ReadonlySet<C64Key> = new Set()
  readonly #joysticks: Record<1 | 2, ReadonlySet<JoystickInput>> = { 1: new Set(), 2: new Set() }
  readonly #calls = new SerialQueue()

  constructor(api: UltimateApi) {
    this.#api = api
  }

  /** A reset of the C64 releases all keys and joysticks. */
  forget(): void {
    this.#keys = new Set()
    this.#joysticks[1] = new Set()
    this.#joysticks[2] = new Set()
  }

  setKeys(keys: readonly C64Key[], signal: AbortSignal): Promise<void> {
    return this.#calls.run(async () => {
      const wanted = new Set(keys)
      const events = keyEvents(this.#keys, wanted)
      if (events.length > 0) await this.#api.sendInput(events, signal)
      this.#keys = wanted
    })
  }

  setJoystick(port: 1 | 2, inputs: readonly JoystickInput[], signal: AbortSignal): Promise<void> {
    return this.#calls.run(async () => {
      const wanted = new Set(inputs)
      const events = joystickEvents(port, this.#joysticks[port], wanted)
      if (events.length > 0) await this.#api.sendInput(events, signal)
      this.#joysticks[port] = wanted
    })
  }

  /** Called before disconnecting, so that nothing stays pressed. */
  async releaseAll(signal: AbortSignal): Promise<void> {
    if (this.#keys.size + this.#joysticks[1].size + this.#joysticks[2].size === 0) return
    await this.#api.sendInput([{ kind: 'release_all' }], signal)
    this.forget()
  }

  /** @throws AppError CONFLICT where nothing reads the keyboard buffer */
  typeText(text: string, signal: AbortSignal): Promise<void> {
    const memory = {
      read: (address: number, length: number, signal: AbortSignal) => this.#api.readMemory(address, length, signal),
      write: (address: number, bytes: Uint8Array, signal: AbortSignal) => this.#api.writeMemory(address, bytes, signal),
    }
    return this.#calls.run(() => typeThroughBuffer(text, memory, signal))
  }
}
