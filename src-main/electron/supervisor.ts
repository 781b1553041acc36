import { AppError } from '@shared/contract/errors'
import type { BridgeState } from '@shared/contract/window'
import { fromBridgeSchema, PROTOCOL_VERSION, type FromBridge, type ToBridge } from '../bridge/messages'
import { Caller } from '../rpc/caller'

export interface RunningBridge {
  post(message: ToBridge): void
  onMessage(listener: (message: unknown) => void): void
  /** `how` completes “the bridge process …”, such as “was killed by SIGKILL”. */
  onEnd(listener: (how: string) => void): void
  isStopped?(): boolean
  kill(): void
}

export interface BridgeHost<Bridge extends RunningBridge> {
  start(lastEnd: string | undefined): Bridge
}

export interface SupervisorLog {
  info(message: string): void
  warn(message: string): void
}

const TICK_MS = 500
/** ms; long, as another start would take a starved computer even longer. */
const READY_LIMIT_MS = 20_000
/** ms without an answer; 2 s were seen on a starved computer. */
const SILENCE_LIMIT_MS = 4_000
/** ms, for a process that the system reports as stopped. */
const STOPPED_LIMIT_MS = 1_000
/** ms before the second restart; the first one is immediate. */
const RESTART_DELAY_MS = 500
const MAX_RESTART_DELAY_MS = 10_000
const SHUTDOWN_WAIT_MS = 2_000
const ENDS_WINDOW_MS = 5 * 60_000
const MAX_REASON_CHARACTERS = 1_000
const MAX_RESTARTS = 3

interface Waiting<Bridge> {
  readonly resolve: (bridge: Bridge) => void
  readonly reject: (error: AppError) => void
}

/**
 * Restarts a bridge that ends unexpectedly, but waits for the user after the fourth such end in five minutes. Time is
 * counted in ticks of its own timer, so that no heartbeat is missed while the computer sleeps.
 */
export class Supervisor<Bridge extends RunningBridge> {
  readonly #host: BridgeHost<Bridge>
  readonly #log: SupervisorLog
  #state: BridgeState = { state: 'stopped', reason: null, recentEnds: 0 }
  #bridge: Bridge | undefined
  #isReady = false
  #ticks = 0
  #timer: NodeJS.Timeout | undefined
  #restart: NodeJS.Timeout | undefined
  #ends: number[] = []
  #lastEnd: string | undefined
  readonly #calls = new Caller((message) => this.#bridge?.post(message))
  readonly #waiting = new Set<Waiting<Bridge>>()
  readonly #stateListeners = new Set<(state: BridgeState) => void>()
  readonly #eventListeners = new Set<(event: string, payload: unknown) => void>()

  constructor(host: BridgeHost<Bridge>, log: SupervisorLog) {
    this.#host = host
    this.#log = log
  }

  get state(): BridgeState {
    return this.#state
  }

  onState(listener: (state: BridgeState) => void): void {
    this.#stateListeners.add(listener)
  }

  onEvent(listener: (event: string, payload: unknown) => void): void {
    this.#eventListeners.add(listener)
  }

  start(): void {
    if (this.#bridge) this.#drop(this.#bridge, 'The bridge process is being restarted.')
    clearTimeout(this.#restart)
    this.#ends = []
    this.#setState('starting', null)
    this.#launch()
  }

  suspended(): void {
    if (this.#isReady) this.#bridge?.post({ kind: 'suspend' })
  }

  /** Heartbeats missed during sleep do not count; the bridge is notified. */
  resumed(): void {
    this.#ticks = 0
    if (this.#isReady) this.#bridge?.post({ kind: 'resume' })
  }

  /** @throws AppError BRIDGE_DOWN where it is neither ready nor starting */
  async ready(): Promise<Bridge> {
    if (this.#bridge && this.#isReady) return this.#bridge
    if (this.#state.state !== 'starting') throw this.#down()
    return new Promise((resolve, reject) => this.#waiting.add({ resolve, reject }))
  }

  /**
   * The data is not parsed here.
   * @throws AppError the bridge's own, TIMEOUT after `deadline` ms (0: none), CANCELLED on abort, BRIDGE_DOWN when the
   * process ends
   */
  async call(command: string, input: unknown, deadline: number, signal?: AbortSignal): Promise<unknown> {
    if (this.#state.state === 'starting') await this.ready()
    if (this.#state.state !== 'ready') throw this.#down()
    return this.#calls.call(command, input, { deadlineMs: deadline, signal })
  }

  /** Kills the bridge after two seconds. Resolves when it has ended. */
  async stop(): Promise<void> {
    clearTimeout(this.#restart)
    const bridge = this.#bridge
    if (this.#state.state !== 'stopped') this.#setState('stopped', null)
    if (!bridge) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        this.#log.warn('the bridge process did not end within 2 s; killing it')
        this.#drop(bridge, 'Bridgedeck is closing.')
        resolve()
      }, SHUTDOWN_WAIT_MS)
      bridge.onEnd(() => {
        clearTimeout(timer)
        resolve()
      })
      bridge.post({ kind: 'shutdown' })
    })
  }

  #launch(): void {
    const bridge = this.#host.start(this.#lastEnd)
    this.#lastEnd = undefined
    this.#bridge = bridge
    this.#isReady = false
    this.#ticks = 0
    bridge.onMessage((message) => {
      if (bridge === this.#bridge) this.#onMessage(bridge, message)
    })
    bridge.onEnd((how) => {
      if (bridge === this.#bridge) this.#ended(bridge, how)
    })
    this.#timer = setInterval(() => this.#tick(bridge), TICK_MS)
  }

  #tick(bridge: Bridge): void {
    this.#ticks++
    if (!this.#isReady) {
      if (this.#ticks * TICK_MS >= READY_LIMIT_MS)
        this.#ended(bridge, `was not ready within ${READY_LIMIT_MS / 1000} s`)
    } else if (this.#ticks * TICK_MS > SILENCE_LIMIT_MS) {
      this.#ended(bridge, `did not answer for ${SILENCE_LIMIT_MS / 1000} s`)
    } else if (this.#ticks * TICK_MS > STOPPED_LIMIT_MS && bridge.isStopped?.() === true) {
      this.#ended(bridge, 'was stopped')
    } else {
      bridge.post({ kind: 'ping', at: Date.now() })
    }
  }

  #onMessage(bridge: Bridge, raw: unknown): void {
    const parsed = fromBridgeSchema.safeParse(raw)
    if (!parsed.success) {
      this.#log.warn(`the bridge sent a message outside the protocol: ${parsed.error.message}`)
      return
    }
    const message: FromBridge = parsed.data
    switch (message.kind) {
      case 'ready':
        this.#onReady(bridge, message.protocol)
        break
      case 'failed': {
        const { message: what, hint } = message.error
        this.#giveUp(bridge, `The bridge process cannot start: ${what}${hint === undefined ? '' : ` ${hint}`}`)
        break
      }
      case 'pong':
        this.#ticks = 0
        break
      case 'event':
        for (const listener of this.#eventListeners) listener(message.event, message.payload)
        break
      case 'reply':
        this.#calls.settle(message)
        break
    }
  }

  #onReady(bridge: Bridge, protocol: number): void {
    if (this.#isReady || this.#state.state === 'stopped') return
    if (protocol !== PROTOCOL_VERSION) {
      this.#giveUp(
        bridge,
        `The bridge process uses protocol version ${protocol}, the window version ${PROTOCOL_VERSION}. Reinstall Bridgedeck.`,
      )
      return
    }
    this.#isReady = true
    this.#ticks = 0
    this.#log.info('the bridge process is ready')
    this.#setState('ready', null)
    for (const { resolve } of this.#waiting) resolve(bridge)
    this.#waiting.clear()
  }

  #giveUp(bridge: Bridge, reason: string): void {
    this.#log.warn(reason)
    this.#setState('failed', reason.slice(0, MAX_REASON_CHARACTERS))
    this.#drop(bridge, reason)
  }

  #ended(bridge: Bridge, how: string): void {
    if (this.#state.state === 'stopped') {
      this.#drop(bridge, 'Bridgedeck is closing.')
      return
    }
    this.#lastEnd = how
    const now = Date.now()
    this.#ends = [...this.#ends.filter((end) => now - end < ENDS_WINDOW_MS), now]
    const count = this.#ends.length
    if (count > MAX_RESTARTS) {
      this.#setState(
        'failed',
        `The bridge process ${how}. That was the fourth time in five minutes, so Bridgedeck no longer restarts it.`,
      )
    } else {
      const delay = count === 1 ? 0 : Math.min(MAX_RESTART_DELAY_MS, RESTART_DELAY_MS * 2 ** (count - 2))
      this.#setState('restarting', `The bridge process ${how}. Restarting it.`)
      this.#restart = setTimeout(() => this.#launch(), delay)
    }
    this.#log.warn(
      `the bridge process ${how}; it is now ${this.#state.state} (${count} unexpected ends in five minutes)`,
    )
    this.#drop(bridge, `The bridge process ${how}.`)
  }

  #drop(bridge: Bridge, reason: string): void {
    clearInterval(this.#timer)
    this.#bridge = undefined
    this.#isReady = false
    bridge.kill()
    const error = new AppError('BRIDGE_DOWN', reason)
    this.#calls.rejectAll(error)
    for (const { reject } of this.#waiting) reject(error)
    this.#waiting.clear()
  }

  #setState(state: BridgeState['state'], reason: string | null): void {
    this.#state = { state, reason, recentEnds: this.#ends.length }
    for (const listener of this.#stateListeners) listener(this.#state)
  }

  #down(): AppError {
    const { state, reason } = this.#state
    const hint =
      state === 'failed'
        ? 'Restart the bridge from the banner in the window.'
        : 'It restarts automatically. Try again in a moment.'
    return new AppError(
      'BRIDGE_DOWN',
      reason ?? 'The bridge process is not running.',
      state === 'stopped' ? {} : { hint },
    )
  }
}
