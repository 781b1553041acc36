import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { AppError } from '@shared/contract/errors'
import type { Input, OwnedBy } from '@shared/contract/contract'
import { machineNameSchema } from '@shared/contract/machine'
import { callText, type AgentCall, type SteeringAgent } from '@shared/contract/steering'
import { cancelled } from '../machine/cancelled'
import type { AgentCallStore } from '../storage/agentCalls'
import { isChanging } from './changing'
import type { Asking, Consents } from './consents'
import type { Leases } from './leases'
import type { UndoLog } from './undoLog'

/** How long a call of a paused agent waits; clients give up on one after a minute. */
const PAUSE_WAIT_MS = 40_000
/** How long one that waits for a machine does so: two leases. */
const LEASE_WAIT_MS = 12_000

/** Of a mark in a recording. */
const MAX_MARK_LENGTH = 200

/** Of one agent at the same time. */
const MAX_RUNNING_CALLS = 32

const aboutMachine = z.object({ machine: machineNameSchema })

/** All keys or directions are let go: never kept waiting, as they would stay held. */
const letsGo = z.union([z.object({ keys: z.tuple([]) }), z.object({ inputs: z.tuple([]) })])

interface Parts {
  readonly waits: boolean
  readonly consents: Consents
  readonly leases: Leases
  readonly undo: UndoLog
  readonly store: Pick<AgentCallStore, 'nextNumber'>
  readonly mark: (machine: string, text: string) => void
  readonly onCall: (call: AgentCall) => void
  readonly onChanged: () => void
}

/** One agent, as long as its line is open. */
export class AgentAtMachine {
  readonly shown: Asking
  readonly #parts: Parts
  readonly #since = Date.now()
  /** By the agent's own numbers. */
  readonly #running = new Map<number, AgentCall>()
  #calls = 0
  #machine: string | null = null
  /** Aborted when it is resumed or leaves; null while it is not paused. */
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
      doing: this.#newest?.title ?? null,
      calls: this.#calls,
    }
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
      ...{
        call: this.#parts.store.nextNumber(),
        ...this.shown,
        time: Date.now(),
        ms: null,
        machine: null,
        title,
        right,
      },
      ...{ text, outcome: 'running', message: null, bytes: 0, undo: null, clock: null },
    }
    this.#running.set(call, begun)
    this.#parts.onCall(begun)
    try {
      await this.#untilResumed(signal)
      const wanted = callText(`${title} ${text}`)
      for (const each of rights) await this.#parts.consents.require(this.shown, each, wanted, signal)
    } catch (error) {
      this.#settle(call, 'refused', error instanceof Error ? error.message : null)
      throw error
    }
  }

  finish({ call, outcome, message }: Input<'agentLine.end'>): void {
    this.#settle(call, outcome, message)
  }

  /** Before a command on its line: waits while it is paused, takes the machine, and notes what a change replaces. */
  async before(command: OwnedBy<'bridge'>, input: unknown, signal: AbortSignal): Promise<void> {
    if (letsGo.safeParse(input).success) return
    if (this.#paused) await this.#untilResumed(signal)
    const running = this.#newest
    const machine = running && aboutMachine.safeParse(input).data?.machine
    if (!running || machine === undefined) return
    if (running.machine === null) this.#useMachine(running, machine)
    if (running.right === 'look' || !isChanging(command)) return
    await this.#takeMachine(machine, running.call, signal)
    await this.#parts.undo.before({ call: running.call, agent: this.shown.agent, machine }, command, input, signal)
  }

  /** @throws AppError BUSY while it is somebody else's */
  async #takeMachine(machine: string, call: number, signal: AbortSignal): Promise<void> {
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

  get #newest(): AgentCall | undefined {
    return [...this.#running.values()].at(-1)
  }

  #useMachine(running: AgentCall, machine: string): void {
    this.#machine = machine
    this.#update({ ...running, machine })
    this.#parts.mark(machine, callText(`${running.name}: ${running.title} ${running.text}`).slice(0, MAX_MARK_LENGTH))
  }

  #update(call: AgentCall): void {
    for (const [number, running] of this.#running) if (running.call === call.call) this.#running.set(number, call)
    this.#parts.onCall(call)
  }

  #settle(number: number, outcome: AgentCall['outcome'], message: string | null): void {
    const running = this.#running.get(number)
    if (!running) return
    this.#running.delete(number)
    const ms = Date.now() - running.time
    this.#parts.onCall({
      ...running,
      ...this.#parts.undo.of(running.call),
      ...{ ms, outcome, message: message === null ? null : callText(message) },
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

const pausedError = (): AppError =>
  new AppError('BUSY', 'The person has paused you.', { hint: 'Wait until they resume you, then try again.' })
