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

/** Cycles; if it warps later than that, somebody asked for it. */
const MAX_BOOT_CYCLES = 10_000_000

export type BridgeToStart = 'own' | 'untilIdle' | 'untilStopped'

interface SessionOptions extends BridgeOptions {
  readonly program: string
}

interface BridgeOfCall {
  close(): Promise<void>
  readonly stayHint: string
}

export class Session {
  readonly client: BridgeClient
  readonly #passwords: PasswordSource
  readonly #own: BridgeOfCall | undefined
  readonly #connected: string[] = []
  #states: readonly MachineState[] | undefined
  #lifetime: BridgeStatus['lifetime'] | undefined

  private constructor(client: BridgeClient, passwords: PasswordSource, own: BridgeOfCall | undefined) {
    this.client = client
    this.#passwords = passwords
    this.#own = own
    client.onEvent('machine.states', ({ machines }) => {
      this.#states = machines
    })
  }

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
    // Loaded on demand: it is most of the program, and a call to a running bridge does not need it.
    const { createBridge } = await import('../bridge/createBridge')
    const bridge = createBridge(options)
    const transport = memoryTransport()
    const client = new BridgeClient(transport.control)
    serve(bridge, transport.bridge, () => undefined)
    const out = dirname(dirname(program))
    const stayHint = `${openWindow(out)}, or keep machines between calls with “bridgedeck bridge start”.`
    return new Session(client, passwords, { close: () => bridge.close(), stayHint })
  }

  get isOpen(): boolean {
    return this.client.isOpen
  }

  async connect(machine: string, signal: AbortSignal): Promise<void> {
    const isReady = (states: readonly MachineState[]) => {
      const known = states.find((listed) => listed.machine === machine)
      return known?.connection === 'live' && !(boots && mayBoot(known))
    }
    // Only where no window runs: the window's C64 resumes and may be in warp for its user.
    const boots = machine === 'builtin' && (await this.#lifetimeOf(signal)) !== 'window'
    // A server of agents asks for many calls, and each would wait for this answer too.
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

  /** @throws AppError UNSUPPORTED where the machine ends with this call */
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

  async repairNotice(): Promise<RepairNotice | undefined> {
    if (!this.client.isOpen) return undefined
    return (await this.client.call('bridge.takeRepairNotice', {})).notice ?? undefined
  }

  async close(): Promise<void> {
    for (const machine of this.#connected) await this.client.call('machine.release', { machine }).catch(() => undefined)
    this.client.close()
    await this.#own?.close()
  }

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

function withPasswordHint(error: unknown): AppError {
  return new AppError('FORBIDDEN', toFailure(error).message, {
    hint: 'Set C64U_PASSWORD, add networkPassword to .c64bridge.json here or in your home folder, or call from a terminal to be asked.',
    cause: error,
  })
}
