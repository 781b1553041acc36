import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { AppError, toFailure } from '@shared/contract/errors'
import { commandTable, type Input, type OwnedBy } from '@shared/contract/contract'
import { machineNameSchema } from '@shared/contract/machine'
import { callText, type AgentCall, type Right, type SteeringAgent } from '@shared/contract/steering'
import { cancelled } from '../machine/cancelled'
import type { AgentCallStore } from '../storage/agentCalls'
import type { Asking, Consents } from './consents'
import type { Leases } from './leases'
import { neededRights, takesMachine } from './neededRight'
import type { UndoLog } from './undoLog'

/** How long a call of a paused agent waits; clients give up on one after a minute. */
const PAUSE_WAIT_MS = 40_000
/** How long an agent waits for a machine: two leases. */
const LEASE_WAIT_MS = 12_000

const MAX_MARK_LENGTH = 200

const MAX_RUNNING_CALLS = 32

const aboutMachine = z.object({ machine: machineNameSchema })

/** Never kept waiting, as the keys or directions would stay held. */
const letsGo = z.union([z.object({ keys: z.tuple([]) }), z.object({ inputs: z.tuple([]) })])

export interface AgentRequest {
  readonly command: OwnedBy<'bridge'>
  readonly input: unknown
  readonly agentCall: number | undefined
}

interface RunningCall {
  shown: AgentCall
  readonly allowed: Set<Right>
}

export interface KnownMachines {
  isKnown(machine: string): boolean
  isRunning(machine: string): boolean
}

interface Parts {
  readonly waits: boolean
  readonly machines: KnownMachines
  readonly consents: Consents
  readonly leases: Leases
  readonly undo: UndoLog
  readonly store: Pick<AgentCallStore, 'nextNumber'>
  readonly mark: (machine: string, text: string) => void
  readonly onCall: (call: AgentCall) => void
  readonly onChanged: () => void
}

export class AgentAtMachine {
  readonly shown: Asking
  readonly #parts: Parts
  readonly #since = Date.now()
  readonly #running = new Map<number, RunningCall>()
  #calls = 0
  #lastAtMachine: AgentCall | null = null
  #machine: string | null = null
  #paused: AbortController | null = null

  constructor(shown: Asking, parts: Parts) {
    this.shown = shown
    this.#parts = parts
  }

  get state(): Omit<SteeringAgent, 'granted' | 'refused'> {
    return {
      ...this.shown,
      since: this.#since,
      paused: this.#paused !== null,
      machine: this.#machine,
      doing: [...this.#running.values()].at(-1)?.shown.title ?? null,
      calls: this.#calls,
    }
  }

  get lastCall(): string | null {
    const last = this.#lastAtMachine
    return last && callText(`call ${last.call}: ${last.title} ${last.text}`)
  }

  pause(): void {
    if (this.#paused) return
    this.#paused = new AbortController()
    this.#parts.leases.giveUp(this.shown.agent)
    this.#parts.onChanged()
  }

  resume(): void {
    this.#paused?.abort()
    this.#paused = null
    this.#parts.onChanged()
  }

  /** @throws AppError FORBIDDEN where the person does not allow it, BUSY where the agent is paused or nobody answers */
  async begin({ call, title, rights, text }: Input<'agentLine.begin'>, signal: AbortSignal): Promise<void> {
    if (this.#running.has(call)) throw new AppError('INVALID', `Call ${call} is already running.`)
    if (this.#running.size >= MAX_RUNNING_CALLS)
      throw new AppError('BUSY', `${MAX_RUNNING_CALLS} calls are running already.`, {
        hint: 'Wait until one of them has finished.',
      })
    const [right = 'look'] = rights
    this.#calls++
    const begun: AgentCall = {
      call: this.#parts.store.nextNumber(),
      ...this.shown,
      time: Date.now(),
      ms: null,
      machine: null,
      title,
      right,
      text,
      outcome: 'running',
      message: null,
      bytes: 0,
      undo: null,
      clock: null,
    }
    const running: RunningCall = { shown: begun, allowed: new Set() }
    this.#running.set(call, running)
    this.#parts.onCall(begun)
    try {
      await this.#untilResumed(signal)
      for (const each of rights) await this.#require(running, each, signal)
    } catch (error) {
      const { code, message } = toFailure(error)
      const outcome = code === 'BUSY' ? 'unanswered' : code === 'CANCELLED' ? 'cancelled' : 'refused'
      this.#settle(call, outcome, message)
      throw error
    }
  }

  finish({ call, outcome, message }: Input<'agentLine.end'>): void {
    this.#settle(call, outcome, message)
  }

  /**
   * @throws AppError FORBIDDEN where the person does not allow it, BUSY where nobody answers or the machine is somebody
   * else's
   */
  async before({ command, input, agentCall }: AgentRequest, signal: AbortSignal): Promise<void> {
    if (letsGo.safeParse(input).success) return
    if (this.#paused) await this.#untilResumed(signal)
    const running = agentCall === undefined ? undefined : this.#running.get(agentCall)
    const { effect } = commandTable[command]
    const name = aboutMachine.safeParse(input).data?.machine
    const { machines } = this.#parts
    const machine =
      name === undefined ? undefined : { isKnown: machines.isKnown(name), isRunning: machines.isRunning(name) }
    const rights = neededRights(effect, machine)
    if (rights === null) throw onlyThePerson()
    if (running && name !== undefined && running.shown.machine === null) this.#useMachine(running, name)
    for (const right of rights) {
      if (running) await this.#require(running, right, signal)
      else if (right !== 'look') throw new AppError('CONFLICT', 'An agent changes something only in a call of a tool.')
    }
    if (!running || name === undefined || !machine || !takesMachine(effect, machine)) return
    const { call } = running.shown
    await this.takeMachine(name, call, signal)
    await this.#parts.undo.before({ call, agent: this.shown.agent, machine: name }, command, input, signal)
  }

  async #require(running: RunningCall, right: Right, signal: AbortSignal): Promise<void> {
    if (running.allowed.has(right)) return
    const { title, text } = running.shown
    await this.#parts.consents.require(this.shown, right, callText(`${title} ${text}`), signal)
    running.allowed.add(right)
    if (running.shown.right === 'look' && right !== 'look') this.#update(running, { right })
  }

  /** @throws AppError BUSY while it is somebody else's */
  async takeMachine(machine: string, call: number, signal: AbortSignal): Promise<void> {
    const { leases, waits, onChanged } = this.#parts
    const deadline = Date.now() + LEASE_WAIT_MS
    for (;;) {
      const until = leases.of(machine)?.until ?? deadline
      try {
        if (leases.take(machine, this.shown, call)) onChanged()
        return
      } catch (error) {
        if (!waits || Date.now() >= deadline) throw error
      }
      await wait(Math.max(0, Math.min(until, deadline) - Date.now()) + 1, undefined, { signal }).catch(() => {
        throw cancelled()
      })
    }
  }

  end(): void {
    for (const call of [...this.#running.keys()]) this.#settle(call, 'failed', 'The agent left.')
    this.#paused?.abort()
  }

  #useMachine(running: RunningCall, machine: string): void {
    this.#machine = machine
    this.#update(running, { machine })
    const { name, title, text } = running.shown
    this.#parts.mark(machine, callText(`${name}: ${title} ${text}`).slice(0, MAX_MARK_LENGTH))
  }

  #update(running: RunningCall, changes: Partial<Pick<AgentCall, 'machine' | 'right'>>): void {
    running.shown = { ...running.shown, ...changes }
    this.#parts.onCall(running.shown)
  }

  #settle(number: number, outcome: AgentCall['outcome'], message: string | null): void {
    const running = this.#running.get(number)
    if (!running) return
    this.#running.delete(number)
    const { shown } = running
    if (outcome === 'done' && shown.machine !== null) this.#lastAtMachine = shown
    const ms = Date.now() - shown.time
    this.#parts.onCall({
      ...shown,
      ...this.#parts.undo.of(shown.call),
      ms,
      outcome,
      message: message === null ? null : callText(message),
    })
  }

  async #untilResumed(signal: AbortSignal): Promise<void> {
    if (!this.#paused) return
    const { signal: resumed } = this.#paused
    const either = AbortSignal.any([resumed, signal, AbortSignal.timeout(PAUSE_WAIT_MS)])
    if (!either.aborted) await new Promise((resolve) => either.addEventListener('abort', resolve, { once: true }))
    if (resumed.aborted) return
    throw signal.aborted ? cancelled() : pausedError()
  }
}

const onlyThePerson = (): AppError =>
  new AppError('FORBIDDEN', 'Only the person may do this.', {
    hint: 'Tell them what you need, so that they can do it.',
  })

const pausedError = (): AppError =>
  new AppError('BUSY', 'The person has paused you.', { hint: 'Wait until they resume you, then try again.' })
