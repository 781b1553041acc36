import { AppError } from '@shared/contract/errors'
import { takesPassword } from '@shared/contract/connections'
import type { MachineState } from '@shared/contract/machine'
import type { BridgeCall } from './router'

export interface SecretStore {
  limit(): Promise<string | null>
  seal(text: string): Promise<Uint8Array>
  /** Rejects what was sealed by another user, computer or keyring. */
  open(sealed: Uint8Array): Promise<string>
}

interface SecretsOptions {
  readonly bridge: BridgeCall
  readonly store: SecretStore
  readonly log: { warn(message: string, cause?: unknown): void }
}

interface Known {
  readonly password: string
  /** The id of the device that accepted it; null where a device reports none. */
  readonly onlyFor: string | null
}

/**
 * A typed password is kept until the app ends; a saved one is sealed by the system and stored by the bridge. The page
 * gets none; the bridge gets one when it connects.
 */
export class Secrets {
  readonly #options: SecretsOptions
  readonly #session = new Map<string, Known>()

  constructor(options: SecretsOptions) {
    this.#options = options
  }

  limit(): Promise<string | null> {
    return this.#options.store.limit()
  }

  /** Before a call that connects a machine, sends the machine's password, if any. */
  readonly bridge: BridgeCall = async (name, input, signal) => {
    if ((name === 'machine.connect' || name === 'connections.selfTest') && 'machine' in input && input.machine !== null)
      await this.#sendPassword(input.machine, signal)
    return this.#options.bridge(name, input, signal)
  }

  async authenticate(machine: string, password: string, remember: boolean, signal: AbortSignal): Promise<MachineState> {
    const { bridge, store } = this.#options
    if (!takesPassword(machine)) throw new AppError('INVALID', `${machine} takes no password.`)
    const limit = remember ? await store.limit() : null
    if (limit !== null) {
      throw new AppError('UNSUPPORTED', `The password cannot be saved. ${limit}`, {
        hint: 'Connect without saving it: it is then known until you close Bridgedeck.',
      })
    }
    await bridge('connections.usePassword', { machine, password, onlyFor: null }, signal)
    const state = await bridge('machine.connect', { machine }, signal)
    const { uniqueId } = await bridge('connections.identity', { machine }, signal)
    this.#session.set(machine, { password, onlyFor: uniqueId })
    if (remember)
      await bridge(
        'connections.keepPassword',
        { machine, kept: { sealed: await store.seal(password), uniqueId } },
        signal,
      )
    return state
  }

  async forgetPassword(machine: string, signal: AbortSignal): Promise<void> {
    this.#session.delete(machine)
    await this.#options.bridge('connections.keepPassword', { machine, kept: null }, signal)
  }

  async forget(machine: string, signal: AbortSignal): Promise<void> {
    this.#session.delete(machine)
    await this.#options.bridge('connections.remove', { machine }, signal)
  }

  async #sendPassword(machine: string, signal: AbortSignal | undefined): Promise<void> {
    if (!takesPassword(machine)) return
    const known = this.#session.get(machine) ?? (await this.#saved(machine, signal))
    if (known) await this.#options.bridge('connections.usePassword', { machine, ...known }, signal)
  }

  async #saved(machine: string, signal: AbortSignal | undefined): Promise<Known | undefined> {
    const { bridge, store, log } = this.#options
    const { kept } = await bridge('connections.sealedPassword', { machine }, signal)
    if (!kept) return undefined
    try {
      return { password: await store.open(kept.sealed), onlyFor: kept.uniqueId }
    } catch (error) {
      log.warn(`The saved password of ${machine} could not be opened`, error)
      return undefined
    }
  }
}
