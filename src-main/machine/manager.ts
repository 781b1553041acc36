import { AppError } from '@shared/contract/errors'
import type { Frame } from '@shared/contract/frames'
import type { MachineState, SamplingMode } from '@shared/contract/machine'
import { canonicalMachineName, parseMachineName } from '@shared/contract/machineName'
import { NotifyTimer } from '../rpc/notifyTimer'
import { ManagedMachine, type Subscription } from './managedMachine'
import type { AudioBlock } from './facets'
import { loadedInto } from './loadedPrograms'
import type { Machine } from './machine'
import type { Unsubscribe } from './listeners'
import type { Openings } from '../storage/quarantine'

interface ManagerOptions {
  readonly create: (name: string) => Machine
  readonly password?: (name: string, signal: AbortSignal) => Promise<string | undefined>
  readonly defaultSampling: (name: string) => { mode: SamplingMode; rate: number }
  /** Machines that the bridge started would lose their programs if they ended. */
  readonly keepsStarted?: boolean
  readonly onStates: (states: MachineState[]) => void
  readonly onLoaded?: (machine: string) => void
  readonly openings?: Openings
  readonly log: (message: string, error?: unknown) => void
}

const NOTIFY_DELAY_MS = 100

/**
 * Timers do not run during sleep: if this one fires after sleep was announced, the computer did not sleep, or woke up
 * unannounced.
 */
const SLEEP_TIMEOUT_MS = 15_000

const alwaysListed: readonly string[] = ['builtin', 'vice']

const MAX_MACHINES = 32

export class MachineManager {
  readonly #options: ManagerOptions
  readonly #machines = new Map<string, ManagedMachine>()
  readonly #requested = new Set<string>()
  // Epochs begin at the bridge's start time, so that a restarted bridge's are new to the page.
  #epoch = Math.floor(Date.now() / 1_000)
  readonly #notifyTimer = new NotifyTimer(NOTIFY_DELAY_MS, () => this.#notify())
  #lastStates = ''
  readonly #clock: NodeJS.Timeout
  #awake: NodeJS.Timeout | undefined

  constructor(options: ManagerOptions) {
    this.#options = options
    for (const name of alwaysListed) this.#entry(name)
    this.#clock = setInterval(() => this.#changed(), 1_000)
  }

  async connect(name: string, signal: AbortSignal): Promise<MachineState> {
    const managed = this.#entry(name)
    const { name: machine, status } = managed.machine
    const { openings } = this.#options
    if (status.connection === 'idle' || status.connection === 'lost') openings?.opening('machine', machine)
    this.#requested.add(machine)
    try {
      await managed.connect(signal)
      openings?.settled('machine', machine)
    } catch (error) {
      openings?.closed('machine', machine)
      throw error
    }
    return managed.state
  }

  async disconnect(name: string): Promise<void> {
    const managed = this.#machines.get(canonical(name))
    if (!managed) return
    this.#requested.delete(managed.machine.name)
    await managed.disconnect()
    this.#options.openings?.closed('machine', managed.machine.name)
    this.#forgetUnused(managed)
    this.#changed()
  }

  async release(name: string): Promise<boolean> {
    if (this.#options.keepsStarted && parseMachineName(name).link === null) return false
    const managed = this.#machines.get(canonical(name))
    if (managed?.isSubscribed !== false || managed.machine.status.execution === 'paused') return false
    if (managed.needsConnection) return false
    await this.disconnect(name)
    return true
  }

  /** The machine with this name, connected or not. Whoever connects it directly disconnects it when done. */
  machine(name: string): Machine {
    return this.#entry(name).machine
  }

  /** @throws AppError NOT_FOUND for a machine that nobody asked for */
  managed(name: string): ManagedMachine {
    const managed = this.#machines.get(canonical(name))
    if (managed) return managed
    throw new AppError('NOT_FOUND', `${name} is not connected.`, { hint: 'Connect it first.' })
  }

  /** @throws AppError LOST with the reason why it is not connected */
  live(name: string): Machine {
    const { machine } = this.managed(name)
    const { connection, reason } = machine.status
    if (connection === 'live' || connection === 'stale') return machine
    throw new AppError('LOST', `${machine.status.title} is not connected${reason ? `: ${reason}` : '.'}`, {
      hint: 'Connect it first.',
    })
  }

  stateOf(name: string): MachineState | undefined {
    const managed = this.#machines.get(canonical(name))
    return managed && this.#isListed(managed) ? managed.state : undefined
  }

  get states(): MachineState[] {
    return [...this.#machines.values()].filter((managed) => this.#isListed(managed)).map(({ state }) => state)
  }

  #isListed({ machine: { name } }: ManagedMachine): boolean {
    return alwaysListed.includes(name) || this.#requested.has(name)
  }

  subscribe(name: string, subscription: Subscription, listener: (frame: Frame) => void): Unsubscribe {
    const managed = this.#entry(name)
    return this.#whileUsed(managed, managed.subscribe(subscription, listener))
  }

  subscribeAudio(name: string, listener: (block: AudioBlock) => void): Unsubscribe {
    const managed = this.#entry(name)
    return this.#whileUsed(managed, managed.subscribeAudio(listener))
  }

  fallAsleep(): void {
    clearTimeout(this.#awake)
    this.#awake = setTimeout(() => void this.wakeUp(), SLEEP_TIMEOUT_MS)
    for (const managed of this.#machines.values()) managed.fallAsleep()
  }

  async wakeUp(): Promise<void> {
    clearTimeout(this.#awake)
    await Promise.all([...this.#machines.values()].map((managed) => managed.wakeUp()))
  }

  acquire(name: string): Unsubscribe {
    const managed = this.#entry(name)
    return this.#whileUsed(managed, managed.acquire())
  }

  async close(): Promise<void> {
    clearInterval(this.#clock)
    clearTimeout(this.#awake)
    await Promise.allSettled([...this.#machines.values()].map((managed) => managed.disconnect()))
    this.#notifyTimer.cancel()
  }

  #entry(name: string): ManagedMachine {
    const machine = canonical(name)
    const found = this.#machines.get(machine)
    if (found) return found
    if (this.#machines.size >= MAX_MACHINES) {
      throw new AppError('BUSY', `Too many machines: at most ${MAX_MACHINES} at a time.`, {
        hint: 'Disconnect one you no longer need.',
      })
    }
    const { password } = this.#options
    const made = this.#options.create(machine)
    loadedInto(made).onChange(() => this.#options.onLoaded?.(machine))
    const managed = new ManagedMachine(made, {
      ...(password ? { password: (signal) => password(machine, signal) } : {}),
      defaultSampling: () => this.#options.defaultSampling(machine),
      nextEpoch: () => this.#epoch++,
      onChange: () => this.#changed(),
      log: this.#options.log,
    })
    this.#machines.set(machine, managed)
    return managed
  }

  #whileUsed(managed: ManagedMachine, unsubscribe: Unsubscribe): Unsubscribe {
    return () => {
      unsubscribe()
      this.#forgetUnused(managed)
    }
  }

  #forgetUnused(managed: ManagedMachine): void {
    const { name } = managed.machine
    if (alwaysListed.includes(name) || this.#requested.has(name) || managed.isSubscribed) return
    this.#machines.delete(name)
  }

  #changed(): void {
    this.#notifyTimer.schedule()
  }

  #notify(): void {
    const { states } = this
    const text = JSON.stringify(states)
    if (text === this.#lastStates) return
    this.#lastStates = text
    this.#options.onStates(states)
  }
}

const canonical = (name: string): string => canonicalMachineName(parseMachineName(name))
