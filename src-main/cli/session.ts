import { dirname } from 'node:path'
import type { Input } from '@shared/contract/contract'
import type { BridgeStatus, RepairNotice } from '@shared/contract/bridge'
import { passwordSchema, takesPassword } from '@shared/contract/connections'
import { AppError, toFailure } from '@shared/contract/errors'
import type { MachineState } from '@shared/contract/machine'
import { parseMachineName } from '@shared/contract/machineName'
import { connectOrStart } from '../bridge/backgroundBridge'
import { BridgeClient } from '../bridge/client'
import type { BridgeOptions } from '../bridge/createBridge'
import { serve } from '../bridge/serve'
import { connect, socketPath } from '../bridge/socket'
import { memoryTransport } from '../rpc/transport'
import { openWindow } from './openWindow'
import type { PasswordSource } from './passwords'

/** As far as a boot may come, cycles; after that, warp was asked for. */
const MAX_BOOT_CYCLES = 10_000_000

/** Which bridge a call starts where none runs: one of its own, or one in the background that outlives it. */
export type BridgeToStart = 'own' | 'untilIdle' | 'untilStopped'

interface SessionOptions extends BridgeOptions {
  /** The built program of the bridge. */
  readonly program: string
}

/** A bridge that ends with the call that started it. */
interface BridgeOfCall {
  close(): Promise<void>
  /** What to do to have a machine that stays. */
  readonly stayHint: string
}

/** The command line's connection to the running bridge, or to one that it starts. */
export class Session {
  readonly client: BridgeClient
  readonly #passwords: PasswordSource
  readonly #own: BridgeOfCall | undefined
  readonly #connected: string[] = []
  /** As the bridge told them last; unknown before that, and after a call that changes them. */
  #states: readonly MachineState[] | undefined
  /** It stays the same as long as the bridge runs. */
  #lifetime: BridgeStatus['lifetime'] | undefined

  private constructor(client: BridgeClient, passwords: PasswordSource, own: BridgeOfCall | undefined) {
    this.client = client
    this.#passwords = passwords
    this.#own = own
    client.onEvent('machine.states', ({ machines }) => {
      this.#states = machines
    })
  }

  /** Undefined where no bridge runs. */
  static async find(dataFolder: string, passwords: PasswordSource): Promise<Session | undefined> {
    const line = await connect(socketPath(dataFolder))
    return line && new Session(new BridgeClient(line), passwords, undefined)
  }

  static async open(
    { program, ...options }: SessionOptions,
    passwords: PasswordSource,
    toStart: BridgeToStart,
  ): Promise<Session> {
    const { dataFolder, taskFolder } = options
    const line =
      toStart === 'own'
        ? await connect(socketPath(dataFolder))
        : await connectOrStart({ dataFolder, program, taskFolder, staysIdle: toStart === 'untilStopped' })
    if (line) return new Session(new BridgeClient(line), passwords, undefined)
    // Most of the program, which a call to a running bridge does not need.
    const { createBridge } = await import('../bridge/createBridge')
    const bridge = createBridge(options)
    const transport = memoryTransport()
    const client = new BridgeClient(transport.control)
    serve(bridge, transport.bridge, () => undefined)
    const out = dirname(dirname(program))
    const stayHint = `${openWindow(out)}, or keep machines between calls with “bridgedeck bridge start”.`
    return new Session(client, passwords, { close: () => bridge.close(), stayHint })
  }

  /** Whether the bridge still answers, as far as is known. */
  get isOpen(): boolean {
    return this.client.isOpen
  }

  /** Connects the machine unless it is connected, and releases it at the end of the call. */
  async connect(machine: string, signal: AbortSignal): Promise<void> {
    const isReady = (states: readonly MachineState[]) => {
      const known = states.find((listed) => listed.machine === machine)
      return known?.connection === 'live' && !(boots && mayBoot(known))
    }
    // The window's C64 resumes, and can be in warp for its user; elsewhere warp is another call that boots it.
    const boots = machine === 'builtin' && (await this.#lifetimeOf(signal)) !== 'window'
    // A server of agents asks for many calls, each of which would wait for this answer too.
    if (this.#states && isReady(this.#states)) return
    const { machines } = await this.client.call('machine.list', {}, signal)
    if (isReady(machines)) {
      this.#states = machines
      return
    }
    this.#states = undefined
    this.#connected.push(machine)
    await this.#connect({ machine, ...(boots ? { toPrompt: true } : {}) }, signal)
  }

  /**
   * Connects a machine for what is to stay there after the call.
   * @throws AppError UNSUPPORTED where the machine ends with this call
   */
  async connectLasting(machine: string, signal: AbortSignal): Promise<void> {
    this.#requireLasting(machine)
    await this.connect(machine, signal)
  }

  /** @throws AppError UNSUPPORTED where the connection ends with this call, and what is set with it */
  requireLastingConnection(machine: string): void {
    if (this.#own) throw notLasting(`${machine} would be disconnected after this call, which ends it.`, this.#own)
  }

  async #lifetimeOf(signal: AbortSignal): Promise<BridgeStatus['lifetime']> {
    this.#lifetime ??= (await this.status(signal)).lifetime
    return this.#lifetime
  }

  status(signal: AbortSignal): Promise<BridgeStatus> {
    return this.client.call('bridge.status', {}, signal)
  }

  /** Whether this call started the machine, a built-in C64 or a VICE, and ends it. */
  endsWithCall(machine: string): boolean {
    return this.#owned(machine) !== undefined
  }

  /** @throws AppError UNSUPPORTED where the machine ends with this call, or runs on after it */
  requirePausable(machine: string): void {
    this.#requireLasting(machine)
    // VICE runs on once nobody is connected to its monitor.
    if (this.#own && parseMachineName(machine).kind === 'vice')
      throw notLasting(`${machine} would run on after this call.`, this.#own)
  }

  /** What the person is to know about the database; undefined for nothing. */
  async repairNotice(): Promise<RepairNotice | undefined> {
    if (!this.client.isOpen) return undefined
    return (await this.client.call('bridge.takeRepairNotice', {})).notice ?? undefined
  }

  async close(): Promise<void> {
    for (const machine of this.#connected) await this.client.call('machine.release', { machine }).catch(() => undefined)
    this.client.close()
    await this.#own?.close()
  }

  /** Hands over the password that the environment gives, for a connection that the bridge makes itself. */
  async giveSetPassword(machine: string, signal: AbortSignal): Promise<void> {
    const given = await this.#passwords.given(machine)
    if (given !== undefined) await this.#usePassword(machine, given, signal)
  }

  #owned(machine: string): BridgeOfCall | undefined {
    return machine === 'builtin' || machine === 'vice' ? this.#own : undefined
  }

  #requireLasting(machine: string): void {
    const own = this.#owned(machine)
    if (own) throw notLasting(`${machine} would start for this call and end with it.`, own)
  }

  /** Connects with the given password, otherwise with one that the bridge knows, and finally asks the user. */
  async #connect(wanted: Input<'machine.connect'>, signal: AbortSignal): Promise<void> {
    const { machine } = wanted
    const given = await this.#passwords.given(machine)
    if (given !== undefined) await this.#usePassword(machine, given, signal)
    try {
      await this.client.call('machine.connect', wanted, signal)
    } catch (error) {
      if (given !== undefined || toFailure(error).code !== 'FORBIDDEN' || !takesPassword(machine)) throw error
      const typed = await this.#passwords.ask(machine, signal)
      if (typed === undefined) throw withPasswordHint(error)
      await this.#usePassword(machine, typed, signal)
      await this.client.call('machine.connect', wanted, signal)
    }
  }

  async #usePassword(machine: string, typed: string, signal: AbortSignal): Promise<void> {
    const { data: password } = passwordSchema.safeParse(typed)
    if (password === undefined)
      throw new AppError('INVALID', 'A password has at most 100 characters: ASCII letters, digits and punctuation.')
    await this.client.call('connections.usePassword', { machine, password, onlyFor: null }, signal)
  }
}

const mayBoot = ({ warp, past }: MachineState): boolean => warp && (past === null || past.now < MAX_BOOT_CYCLES)

const notLasting = (message: string, { stayHint }: BridgeOfCall): AppError =>
  new AppError('UNSUPPORTED', message, { hint: stayHint })

/** For a call without a terminal. */
function withPasswordHint(error: unknown): AppError {
  return new AppError('FORBIDDEN', toFailure(error).message, {
    hint: 'Set C64U_PASSWORD, add networkPassword to .c64bridge.json here or in your home folder, or call from a terminal to be asked.',
    cause: error,
  })
}
