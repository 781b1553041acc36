import { AppError } from '@shared/contract/errors'
import type { Frame } from '@shared/contract/frames'
import type { MachineState, SamplingMode } from '@shared/contract/machine'
import { ManagedMachine, type Subscription } from './managedMachine'
import type { Machine, Unsubscribe } from './machine'
import { parseMachineName } from './name'

interface ManagerOptions {
  create(name: string): Machine
  sampling(name: string): { mode: SamplingMode; rate: number }
  /** Something in a machine's state changed; called at most every {@link QUIET} ms. */
  onStates(states: MachineState[]): void
}

/** Changes within this time go out together, ms. */
const QUIET = 100

/** Machines that are offered without anybody naming them. */
const always = ['builtin', 'vice'] as const

/** Every machine of this bridge by its name. */
export class MachineManager {
  readonly #options: ManagerOptions
  readonly #machines = new Map<string, ManagedMachine>()
  // Epochs start at the time of the start, so that those of a restarted bridge are new to the page.
  readonly #firstEpoch = Math.floor(Date.now() / 1_000)
  #notify: NodeJS.Timeout | undefined
  readonly #clock: NodeJS.Timeout

  constructor(options: ManagerOptions) {
    this.#options = options
    for (const name of always) this.open(name)
    // Measured rates change without anything else happening.
    this.#clock = setInterval(() => this.#changed(), 1_000)
  }

  /** The machine of that name, made known when it is not yet. Throws AppError INVALID for what names no machine. */
  open(name: string): ManagedMachine {
    parseMachineName(name)
    const found = this.#machines.get(name)
    if (found) return found
    const managed = new ManagedMachine(this.#options.create(name), this.#options.sampling(name), this.#firstEpoch, () => this.#changed())
    this.#machines.set(name, managed)
    return managed
  }

  /** A connected machine. Throws AppError LOST that says what it is instead. */
  live(name: string): Machine {
    const { machine } = this.open(name)
    const { connection, reason } = machine.status
    if (connection === 'live' || connection === 'stale') return machine
    throw new AppError('LOST', `${machine.status.title} is not connected${reason ? `: ${reason}` : '.'}`, { hint: 'Connect it first.' })
  }

  get states(): MachineState[] {
    return [...this.#machines.values()].map(({ state }) => state)
  }

  subscribe(name: string, subscription: Subscription, listener: (frame: Frame) => void): Unsubscribe {
    return this.open(name).subscribe(subscription, listener)
  }

  async disconnect(name: string): Promise<void> {
    await this.open(name).disconnect()
    if (!always.some((kept) => kept === name)) this.#machines.delete(name)
    this.#changed()
  }

  async close(): Promise<void> {
    clearInterval(this.#clock)
    clearTimeout(this.#notify)
    await Promise.allSettled([...this.#machines.values()].map((managed) => managed.disconnect()))
    clearTimeout(this.#notify)
  }

  #changed(): void {
    this.#notify ??= setTimeout(() => {
      this.#notify = undefined
      this.#options.onStates(this.states)
    }, QUIET)
  }
}
