import { AppError } from '@shared/contract/errors'
import { takesPassword } from '@shared/contract/connections'

export interface HandedOver {
  readonly password: string
  /** The unique id of the one device that may get it; null for whatever answers at the machine's address. */
  readonly onlyFor: string | null
}

interface PasswordsOptions {
  /** Who answers at the machine's address now; null where it does not tell. */
  readonly identify: (machine: string, signal: AbortSignal) => Promise<string | null>
  /** The password that the person's own configuration has for exactly this address. */
  readonly configured: (machine: string) => Promise<string | null>
}

/** The passwords that this bridge may use, in memory alone: handed over for a machine until it is disconnected. */
export class Passwords {
  readonly #options: PasswordsOptions
  readonly #handedOver = new Map<string, HandedOver>()
  readonly #withheld = new Map<string, string>()

  constructor(options: PasswordsOptions) {
    this.#options = options
  }

  use(machine: string, handedOver: HandedOver): void {
    this.#handedOver.set(machine, handedOver)
  }

  forget(machine: string): void {
    this.#handedOver.delete(machine)
    this.#withheld.delete(machine)
  }

  /** The password to send to the machine now. A password for one device is withheld from any other, and from one that does not tell. */
  async passwordFor(machine: string, signal: AbortSignal): Promise<string | undefined> {
    this.#withheld.delete(machine)
    if (!takesPassword(machine)) return undefined
    const handedOver = this.#handedOver.get(machine)
    if (!handedOver) return (await this.#options.configured(machine)) ?? undefined
    const { password, onlyFor } = handedOver
    if (onlyFor === null) return password
    const uniqueId = await this.#options.identify(machine, signal)
    if (uniqueId === onlyFor) return password
    this.#withheld.set(
      machine,
      uniqueId === null
        ? 'The saved password was not sent: the device did not identify itself.'
        : 'The saved password was not sent: another device answers at this address.',
    )
    return undefined
  }

  /** The error of a connection, with what was done about the password where that is why it was refused. */
  explain(machine: string, error: unknown): unknown {
    const withheld = this.#withheld.get(machine)
    if (withheld === undefined || !(error instanceof AppError) || error.code !== 'FORBIDDEN') return error
    return new AppError('FORBIDDEN', `${error.message} ${withheld}`, {
      hint: 'Type the password if you trust the device at this address.',
      cause: error,
    })
  }
}
