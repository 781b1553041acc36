import { AppError } from '@shared/contract/errors'
import { takesPassword } from '@shared/contract/connections'

export interface PasswordGrant {
  readonly password: string
  /** A device's unique id; null for any device at the machine's address. */
  readonly onlyFor: string | null
}

interface PasswordsOptions {
  readonly identify: (machine: string, signal: AbortSignal) => Promise<string | null>
  readonly configured: (machine: string) => Promise<string | null>
}

/** In memory only, each until its machine is disconnected. */
export class Passwords {
  readonly #options: PasswordsOptions
  readonly #grants = new Map<string, PasswordGrant>()
  readonly #withheld = new Map<string, string>()

  constructor(options: PasswordsOptions) {
    this.#options = options
  }

  use(machine: string, grant: PasswordGrant): void {
    this.#grants.set(machine, grant)
  }

  forget(machine: string): void {
    this.#grants.delete(machine)
    this.#withheld.delete(machine)
  }

  /** A password for one device is withheld from any other, and from one that is not identified. */
  async passwordFor(machine: string, signal: AbortSignal): Promise<string | undefined> {
    this.#withheld.delete(machine)
    if (!takesPassword(machine)) return undefined
    const grant = this.#grants.get(machine)
    if (!grant) return (await this.#options.configured(machine)) ?? undefined
    const { password, onlyFor } = grant
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

  explain(machine: string, error: unknown): unknown {
    const withheld = this.#withheld.get(machine)
    if (withheld === undefined || !(error instanceof AppError) || error.code !== 'FORBIDDEN') return error
    return new AppError('FORBIDDEN', `${error.message} ${withheld}`, {
      hint: 'Type the password if you trust the device at this address.',
      cause: error,
    })
  }
}
