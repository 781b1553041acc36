import { keysForHeldKeys, type HostKey } from '@shared/c64/keyboard'
import type { C64Key, JoystickInput } from '@shared/c64/keyboardMatrix'
import { call } from '../../client/call'
import { frontMachine, isConnected, limitOf, useMachines } from '../../client/machines'
import { reportError } from '../../client/messages'
import { offerBasic } from '../../client/runElsewhere'
import { useSettingsState } from '../../client/settings'
import { useInputState } from './inputState'
import { TypedLine } from './typedLine'

/** Function keys that stay the window's even while keys go to the C64. */
const windowKeys = new Set(['F6', 'F8', 'F9', 'F10', 'F11', 'F12'])

const snapshot = ({ code, key, shiftKey, ctrlKey, altKey, metaKey }: HostKey): HostKey => ({
  code,
  key,
  shiftKey,
  ctrlKey,
  altKey,
  metaKey,
})

class MachineInput {
  /** By `code`, each as it was when it went down, in the order of the presses. */
  readonly #held = new Map<string, HostKey>()
  #sentKeys = ''
  #sentJoystick = ''
  #keyJoystick: readonly JoystickInput[] = []
  #padJoystick: readonly JoystickInput[] = []
  #typed = ''
  #typing: Promise<void> | undefined
  readonly #line = new TypedLine()
  /** The line that was ended by a key that is still down; null for none. */
  #ended: string | null = null
  #saidBasic = false

  /** @returns whether the key was the machine's, so that the window must not act on it */
  keyDown(event: HostKey & { readonly repeat: boolean }): boolean {
    if (windowKeys.has(event.code) || !isConnected(frontMachine())) return false
    this.#ended = this.#line.press(event)
    if (this.#isJoystickKey(event.code) || this.#canHoldKeys()) {
      const mine = this.#isJoystickKey(event.code) || this.#keysFor([event]).length > 0
      if (mine && !event.repeat) {
        this.#held.set(event.code, snapshot(event))
        this.#apply()
      }
      return mine
    }
    return this.#type(event)
  }

  keyUp(code: string): void {
    if (this.#held.delete(code)) this.#apply()
    // Not while Enter is down, which would press a button of the dialog. Only once, as the machine itself says so from
    // then on.
    if (this.#ended !== null && !this.#saidBasic) this.#saidBasic = offerBasic(this.#ended)
    this.#ended = null
  }

  releaseAll(): void {
    this.#held.clear()
    this.#padJoystick = []
    this.#apply()
  }

  /** Resolves once every key press so far is with the machine, so that what is typed now comes after it. */
  async settled(): Promise<void> {
    await this.#typing
  }

  setGamepad(inputs: readonly JoystickInput[]): void {
    this.#padJoystick = inputs
    this.#sendJoystick()
  }

  #canHoldKeys(): boolean {
    return limitOf(frontMachine(), 'keyMatrix') === null
  }

  #isJoystickKey(code: string): boolean {
    return (
      useInputState.getState().joystickKeys && useSettingsState.getState().settings.joystickKeys[code] !== undefined
    )
  }

  #keysFor(held: readonly HostKey[]): C64Key[] {
    const { keyMapping, keyOverrides } = useSettingsState.getState().settings
    return keysForHeldKeys(held, keyMapping, keyOverrides)
  }

  #apply(): void {
    const held = [...this.#held.values()]
    const { joystickKeys } = useSettingsState.getState().settings
    const keyboard = held.filter(({ code }) => !this.#isJoystickKey(code))
    this.#keyJoystick = held.flatMap(({ code }) => (this.#isJoystickKey(code) ? (joystickKeys[code] ?? []) : []))
    if (this.#canHoldKeys()) this.#sendKeys(this.#keysFor(keyboard))
    this.#sendJoystick()
  }

  #sendKeys(keys: C64Key[]): void {
    if (keys.join() === this.#sentKeys) return
    this.#sentKeys = keys.join()
    call('machine.setKeys', { machine: useMachines.getState().front, keys }).catch(reportError)
  }

  #sendJoystick(): void {
    const inputs = [...new Set([...this.#keyJoystick, ...this.#padJoystick])].sort()
    if (inputs.join() === this.#sentJoystick || limitOf(frontMachine(), 'joystick') !== null) return
    this.#sentJoystick = inputs.join()
    const port = useSettingsState.getState().settings.joystickPort
    call('machine.setJoystick', { machine: useMachines.getState().front, port, inputs }).catch(reportError)
  }

  /** For machines without a key matrix: the character itself, in the order of the key presses. */
  #type({ key, ctrlKey, altKey, metaKey }: HostKey): boolean {
    const character = key === 'Enter' ? '\n' : Array.from(key).length === 1 ? key : undefined
    const isCommand = metaKey || (ctrlKey && !altKey)
    if (character === undefined || isCommand || limitOf(frontMachine(), 'typeText') !== null) return false
    this.#typed += character
    this.#typing ??= this.#typeOn()
    return true
  }

  async #typeOn(): Promise<void> {
    try {
      while (this.#typed !== '') {
        const text = this.#typed
        this.#typed = ''
        await call('machine.typeText', { machine: useMachines.getState().front, text })
      }
    } catch (error) {
      this.#typed = ''
      reportError(error)
    } finally {
      this.#typing = undefined
    }
  }
}

export const machineInput = new MachineInput()
