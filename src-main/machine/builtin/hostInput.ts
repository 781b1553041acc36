import { joystickInputs, type C64Key, type JoystickInput } from '@shared/c64/keyboardMatrix'
import { Keyboard, type KeyboardState } from './keyboard'
import type { AddressSpace } from './pla'

const KEY_BUFFER = 0x0277
const KEY_BUFFER_SIZE = 10
export const KEY_COUNT = 0xc6

export interface HeldInput {
  readonly keyboard: KeyboardState
  readonly joysticks: readonly [number, number]
  readonly restoreHeld: boolean
}

export class HostInput {
  readonly #keyboard = new Keyboard()
  #restoreHeld = false
  #joysticks: readonly [number, number] = [0xff, 0xff]
  #typing: number[] = []
  readonly #memory: AddressSpace
  readonly #onRestore: () => void
  readonly #onChange: () => void

  constructor(memory: AddressSpace, onRestore: () => void, onChange: () => void) {
    this.#memory = memory
    this.#onRestore = onRestore
    this.#onChange = onChange
  }

  /** All keys held down. Each set stays for some frames at least. RESTORE interrupts when it goes down. */
  setKeys(keys: readonly C64Key[]): void {
    this.#keyboard.setKeys(keys)
    this.#noteRestore()
    this.#onChange()
  }

  holdsKeys(keys: readonly C64Key[]): boolean {
    return this.#keyboard.holds(keys)
  }

  setJoystick(port: 1 | 2, inputs: readonly JoystickInput[]): void {
    const [first, second] = this.#joysticks
    this.#joysticks = port === 1 ? [pinsOf(inputs), second] : [first, pinsOf(inputs)]
    this.#onChange()
  }

  holdsJoystick(port: 1 | 2, inputs: readonly JoystickInput[]): boolean {
    return this.#joysticks[port - 1] === pinsOf(inputs)
  }

  /** Queues PETSCII for the KERNAL's keyboard buffer, behind keys pressed before. */
  type(petscii: Iterable<number>): void {
    this.#typing.push(...petscii)
    this.#feedKeys()
  }

  get typing(): readonly number[] {
    return this.#typing
  }

  set typing(petscii: readonly number[]) {
    this.#typing = [...petscii]
  }

  endFrame(): void {
    this.#keyboard.endFrame()
    this.#noteRestore()
    this.#onChange()
    this.#feedKeys()
  }

  lines(a: number, b: number): { readonly columns: number; readonly rows: number } {
    return this.#keyboard.settle(a & this.#joysticks[1], b & this.#joysticks[0])
  }

  save(): HeldInput {
    return { keyboard: this.#keyboard.save(), joysticks: this.#joysticks, restoreHeld: this.#restoreHeld }
  }

  restore({ keyboard, joysticks, restoreHeld }: HeldInput): void {
    this.#keyboard.restore(keyboard)
    this.#joysticks = joysticks
    this.#restoreHeld = restoreHeld
  }

  #noteRestore(): void {
    const restore = this.#keyboard.down.includes('restore')
    if (restore && !this.#restoreHeld) this.#onRestore()
    this.#restoreHeld = restore
  }

  #feedKeys(): void {
    const memory = this.#memory
    if (this.#typing.length === 0 || !this.#keyboard.isSettled || memory.ram[KEY_COUNT] !== 0) return
    const keys = this.#typing.splice(0, KEY_BUFFER_SIZE)
    for (const [index, key] of keys.entries()) memory.setRam(KEY_BUFFER + index, key, 'typing')
    memory.setRam(KEY_COUNT, keys.length, 'typing')
  }
}

/** The levels of a joystick's pins; 0 is pressed. */
function pinsOf(inputs: readonly JoystickInput[]): number {
  let low = 0
  for (const input of inputs) low |= 1 << joystickInputs.indexOf(input)
  return ~low & 0xff
}
