import { AppError } from '@shared/contract/errors'
import { takesPassword } from '@shared/contract/connections'
import type { MachineState } from '@shared/contract/machine'
import type { BridgeCall } from './router'

/** Where the system keeps secrets. */
export interface SecretStore {
  /** Why nothing can be kept over a restart, in one sentence; null when it can. */
  limit(): Promise<string | null>
  seal(text: string): Promise<Uint8Array>
  /** Rejects when it was sealed by another user, another computer or another keyring. */
  open(sealed: Uint8Array): Promise<string>
}

interface SecretsOptions {
  readonly bridge: BridgeCall
  readonly store: SecretStore
  readonly log: { warn(message: string, cause?: unknown): void }
}

interface Known {
  readonly password: string
  /** The device that it worked for; null where that one does not tell who it is. */
  readonly onlyFor: string | null
}

/**
 * The passwords of machines on main's side. What the person typed is known until the app ends; what is to last is sealed
 * by the system and kept by the bridge beside the machine. The page gets none of them, and the bridge one at a time.
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

  /** Calls the bridge; a call that connects a machine is preceded by that machine's password, where there is one. */
  readonly bridge: BridgeCall = async (name, input, signal) => {
    if ((name === 'machine.connect' || name === 'connections.selfTest') && 'machine' in input)
      await this.#handOver(input.machine, signal)
    return this.#options.bridge(name, input, signal)
  }

  /** Connects with a password that was typed. Only one that works is known from then on, or kept. */
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

  /** Drops the machine from those kept, with its password. */
  async forget(machine: string, signal: AbortSignal): Promise<void> {
    this.#session.delete(machine)
    await this.#options.bridge('connections.remove', { machine }, signal)
  }

  async #handOver(machine: string, signal: AbortSignal | undefined): Promise<void> {
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
      // The machine then asks for it, and the person can type it anew.
      log.warn(`The saved password of ${machine} could not be opened`, error)
      return undefined
    }
  }
}
