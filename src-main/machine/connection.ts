import { AppError, toFailure } from '@shared/contract/errors'
import type { MachineStatus } from './machine'

export class Connection {
  readonly #onChange: () => void
  #state: MachineStatus['connection'] = 'idle'
  #reason: string | null = null
  #hint: string | null = null

  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  get state(): MachineStatus['connection'] {
    return this.#state
  }

  get reason(): string | null {
    return this.#reason
  }

  get hint(): string | null {
    return this.#hint
  }

  set(state: MachineStatus['connection'], reason: string | null = null, hint: string | null = null): void {
    this.#state = state
    this.#reason = reason
    this.#hint = hint
    this.#onChange()
  }

  async attempt(action: () => Promise<void>): Promise<void> {
    this.set('connecting')
    try {
      await action()
    } catch (error) {
      const { code, message, hint } = toFailure(error)
      if (code === 'CANCELLED') this.set('idle')
      else this.set('lost', message, hint)
      throw error
    }
  }

  notConnected(title: string): AppError {
    return new AppError('LOST', `${title} is not connected${this.#reason === null ? '.' : `: ${this.#reason}`}`, {
      hint: 'Connect it first.',
    })
  }
}
