/** Keys and joysticks of an Ultimate: held ones where the firmware can, typed text through the KERNAL's buffer everywhere. */
import { AppError } from '@shared/contract/errors'
import type { C64Key, JoystickInput } from '@shared/c64/keyboardMatrix'
import { textToPetscii } from '@shared/c64/petscii'
import { setTimeout as sleep } from 'node:timers/promises'
import type { InputEvent, UltimateApi } from './api'
import { MAX_KEYS } from './dmaService'

/** The KERNAL's keyboard buffer and the count of what is in it. */
const BUFFER = 0x0277
const COUNT = 0xc6

/** An event names at most so many keys. */
const MOST_INPUTS = 8

/** How often the KERNAL is asked whether it took the keys, and for how long, ms. */
const POLL = 20
const PATIENCE = 3_000

/** What is to be sent so that `wanted` is held where `held` was. RESTORE only ever is tapped, and alone. */
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

export function joystickEvents(port: 1 | 2, held: ReadonlySet<JoystickInput>, wanted: ReadonlySet<JoystickInput>): InputEvent[] {
  const released = [...held].filter((input) => !wanted.has(input))
  const pressed = [...wanted].filter((input) => !held.has(input))
  return [
    ...(released.length > 0 ? [{ kind: 'joystick', port, inputs: released, transition: 'release' } as const] : []),
    ...(pressed.length > 0 ? [{ kind: 'joystick', port, inputs: pressed, transition: 'press' } as const] : []),
  ]
}

const inGroups = <T>(items: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / MOST_INPUTS) }, (_, index) => items.slice(index * MOST_INPUTS, (index + 1) * MOST_INPUTS))

export class Input {
  readonly #api: UltimateApi
  #keys: ReadonlySet<C64Key> = new Set()
  readonly #joysticks: Record<1 | 2, ReadonlySet<JoystickInput>> = { 1: new Set(), 2: new Set() }
  #last: Promise<unknown> = Promise.resolve()

  constructor(api: UltimateApi) {
    this.#api = api
  }

  /** A reset of the C64 lets go of all. */
  forget(): void {
    this.#keys = new Set()
    this.#joysticks[1] = new Set()
    this.#joysticks[2] = new Set()
  }

  setKeys(keys: readonly C64Key[], signal: AbortSignal): Promise<void> {
    return this.#inOrder(async () => {
      const wanted = new Set(keys)
      const events = keyEvents(this.#keys, wanted)
      if (events.length > 0) await this.#api.sendInput(events, signal)
      this.#keys = wanted
    })
  }

  setJoystick(port: 1 | 2, inputs: readonly JoystickInput[], signal: AbortSignal): Promise<void> {
    return this.#inOrder(async () => {
      const wanted = new Set(inputs)
      const events = joystickEvents(port, this.#joysticks[port], wanted)
      if (events.length > 0) await this.#api.sendInput(events, signal)
      this.#joysticks[port] = wanted
    })
  }

  /** So that nothing stays pressed when we go. */
  async releaseAll(signal: AbortSignal): Promise<void> {
    if (this.#keys.size + this.#joysticks[1].size + this.#joysticks[2].size === 0) return
    await this.#api.sendInput([{ kind: 'release_all' }], signal)
    this.forget()
  }

  /** As fast as the KERNAL takes it. Throws CONFLICT where it takes nothing. */
  typeText(text: string, signal: AbortSignal): Promise<void> {
    const petscii = textToPetscii(text)
    return this.#inOrder(async () => {
      for (let at = 0; at < petscii.length; at += MAX_KEYS) {
        await this.#waitForEmptyBuffer(signal)
        const piece = petscii.subarray(at, at + MAX_KEYS)
        await this.#api.writeMemory(BUFFER, piece, signal)
        await this.#api.writeMemory(COUNT, Uint8Array.of(piece.length), signal)
      }
    })
  }

  async #waitForEmptyBuffer(signal: AbortSignal): Promise<void> {
    const end = performance.now() + PATIENCE
    for (;;) {
      const [count = 0] = await this.#api.readMemory(COUNT, 1, signal)
      if (count === 0) return
      if (performance.now() > end) {
        throw new AppError('CONFLICT', 'The program in the C64 does not take keys from the keyboard buffer.', {
          hint: 'Text can be typed while BASIC waits for input, and into programs that read the KERNAL’s keyboard buffer.',
        })
      }
      await sleep(POLL, undefined, { signal })
    }
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => undefined)
    return done
  }
}
