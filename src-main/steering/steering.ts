import { AppError } from '@shared/contract/errors'
import type { Input, Output, Payload } from '@shared/contract/contract'
import {
  AGENT_COLOURS,
  MAX_NAME_LENGTH,
  MAX_TOLD_CALLS,
  callText,
  type AgentCall,
  type GrantableRight,
  type SteeringAgent,
  type SteeringState,
} from '@shared/contract/steering'
import type { AgentCallStore } from '../storage/agentCalls'
import type { NoteStore } from '../storage/notes'
import { AgentAtMachine, type KnownMachines } from './agentAtMachine'
import { Consents } from './consents'
import { Leases } from './leases'
import { LeftBehinds, type CarriedOut, type FrozenValues } from './leftBehind'
import { UndoLog, type UndoMachines } from './undoLog'

interface SteeringOptions {
  readonly machines: UndoMachines & KnownMachines
  readonly frozen: FrozenValues
  readonly takesBack: () => boolean
  readonly notes: NoteStore
  readonly calls: AgentCallStore
  readonly canAsk: boolean
  readonly onChanged: (state: SteeringState) => void
  readonly onCalled: (changed: Payload<'steering.called'>) => void
  readonly mark: (machine: string, text: string) => void
}

const NOTIFY_DELAY_MS = 50

export class Steering {
  readonly #options: SteeringOptions
  readonly #agents = new Map<number, AgentAtMachine>()
  readonly #consents: Consents
  readonly #leases = new Leases()
  readonly #undo: UndoLog
  readonly #left: LeftBehinds
  readonly #called = new Map<number, AgentCall>()
  #lastAgent = 0
  #notifying: NodeJS.Timeout | undefined
  #leaseEnd: NodeJS.Timeout | undefined

  constructor(options: SteeringOptions) {
    this.#options = options
    const { notes, canAsk, machines } = options
    this.#consents = new Consents({ notes, canAsk, onChanged: () => this.#scheduleNotify() })
    this.#undo = new UndoLog(machines)
    this.#left = new LeftBehinds(machines, options.frozen)
  }

  get state(): SteeringState {
    return {
      agents: [...this.#agents.values()].map((agent) => this.#shown(agent)),
      questions: this.#consents.questions,
      leases: this.#leases.all.map(({ machine, holder, until }) => ({
        machine,
        until,
        agent: holder?.agent ?? null,
        name: holder?.name ?? '',
        colour: holder?.colour ?? null,
      })),
      left: this.#left.all,
    }
  }

  /** @throws AppError BUSY where too many steer already */
  join({ name, granted, waits }: Input<'agentLine.join'>): AgentAtMachine {
    if (this.#agents.size >= MAX_AGENTS)
      throw new AppError('BUSY', `${MAX_AGENTS} agents are connected already.`, { hint: 'End one of them first.' })
    const id = ++this.#lastAgent
    this.#consents.join(id, name, granted)
    const agent = new AgentAtMachine(
      { agent: id, name: this.#freeName(name), colour: this.#freeColour() },
      {
        waits,
        machines: this.#options.machines,
        consents: this.#consents,
        leases: this.#leases,
        undo: this.#undo,
        store: this.#options.calls,
        mark: this.#options.mark,
        onCall: (call) => this.#noteCall(call),
        onChanged: () => this.#scheduleNotify(),
      },
    )
    this.#agents.set(id, agent)
    this.#scheduleNotify()
    return agent
  }

  leave(agent: AgentAtMachine): void {
    if (!this.#agents.delete(agent.shown.agent)) return
    agent.end()
    this.#consents.leave(agent.shown.agent)
    this.#leases.giveUp(agent.shown.agent)
    const machines = this.#left.leave(agent.shown)
    if (this.#options.takesBack())
      for (const machine of machines) this.clearLeft(machine, AbortSignal.timeout(TAKE_BACK_MS)).catch(() => undefined)
    this.#scheduleNotify()
  }

  carriedOut(agent: AgentAtMachine, done: CarriedOut): void {
    this.#left.note(agent.shown.agent, done)
  }

  async clearLeft(machine: string, signal: AbortSignal): Promise<Output<'steering.clearLeft'>> {
    const text = await this.#left.clear(machine, signal)
    this.#scheduleNotify()
    return { text: callText(text) }
  }

  calls({ before, name }: Input<'steering.calls'>): Output<'steering.calls'> {
    const kept = this.#options.calls.page(before, name, MAX_TOLD_CALLS + 1)
    return {
      calls: kept.slice(0, MAX_TOLD_CALLS).map((call) => this.#current(call)),
      more: kept.length > MAX_TOLD_CALLS,
    }
  }

  answer({ question, consent }: Input<'steering.answer'>): void {
    this.#consents.answer(question, consent)
  }

  grant({ agent, right, for: duration }: Input<'steering.grant'>): void {
    this.#require(agent)
    this.#consents.grant(agent, right, duration)
  }

  /** @throws AppError FORBIDDEN where the person is asked in a window */
  allow({ shown }: AgentAtMachine, right: GrantableRight): void {
    this.#consents.requireNoWindow()
    this.#consents.grant(shown.agent, right, 'session')
  }

  revoke({ agent, right }: Input<'steering.revoke'>): void {
    this.#require(agent)
    this.#consents.revoke(agent, right)
  }

  pause(agent: number): void {
    this.#require(agent).pause()
  }

  resume(agent: number): void {
    this.#require(agent).resume()
  }

  takeOver(machine: string): void {
    this.#leases.takeOver(machine)
    this.#scheduleNotify()
  }

  handBack(machine: string): void {
    this.#leases.handBack(machine)
    this.#scheduleNotify()
  }

  async undo(call: number, signal: AbortSignal): Promise<Output<'steering.undo'>> {
    const { calls, text } = await this.#undo.undo(call, signal)
    for (const undone of calls) {
      const kept = this.#options.calls.get(undone)
      if (kept) this.#noteCall({ ...kept, undo: null, message: 'Undone.' })
    }
    return { text }
  }

  async undoLast(agent: AgentAtMachine, signal: AbortSignal): Promise<Output<'agentLine.undo'>> {
    const last = this.#undo.lastOf(agent.shown.agent)
    if (!last) throw new AppError('NOT_FOUND', 'You have changed nothing that can be undone.')
    await agent.takeMachine(last.machine, last.call, signal)
    return this.undo(last.call, signal)
  }

  close(): void {
    for (const agent of this.#agents.values()) this.leave(agent)
    clearTimeout(this.#notifying)
    clearTimeout(this.#leaseEnd)
    this.#options.calls.write()
  }

  #require(agent: number): AgentAtMachine {
    const found = this.#agents.get(agent)
    if (!found) throw new AppError('NOT_FOUND', 'This agent has left.')
    return found
  }

  #shown(agent: AgentAtMachine): SteeringAgent {
    const { shown } = agent
    return {
      ...agent.state,
      granted: this.#consents.granted(shown.agent),
      refused: this.#consents.refused(shown.agent),
    }
  }

  #freeName(name: string): string {
    const taken = new Set([...this.#agents.values()].map(({ shown }) => shown.name))
    if (!taken.has(name)) return name
    for (let number = 2; ; number++) {
      const numbered = `${name.slice(0, MAX_NAME_LENGTH - 3)} ${number}`
      if (!taken.has(numbered)) return numbered
    }
  }

  #freeColour(): number {
    const taken = [...this.#agents.values()].map(({ shown }) => shown.colour)
    const used = (colour: number): number => taken.filter((each) => each === colour).length
    const colours = Array.from({ length: AGENT_COLOURS }, (_, colour) => colour)
    return colours.reduce((best, colour) => (used(colour) < used(best) ? colour : best))
  }

  #noteCall(call: AgentCall): void {
    this.#options.calls.keep(call)
    this.#called.set(call.call, call)
    this.#scheduleNotify()
  }

  /** Calls of an earlier bridge have no agent any more, and cannot be undone. */
  #current(call: AgentCall): AgentCall {
    const isHere = call.agent !== null && this.#agents.get(call.agent)?.shown.name === call.name
    const isCut = call.outcome === 'running' && !isHere
    return {
      ...call,
      agent: isHere ? call.agent : null,
      undo: this.#undo.of(call.call).undo,
      ...(isCut ? { outcome: 'failed' as const, message: 'Bridgedeck ended meanwhile.' } : {}),
    }
  }

  #scheduleNotify(): void {
    this.#notifying ??= setTimeout(() => {
      this.#notifying = undefined
      this.#options.onChanged(this.state)
      const calls = [...this.#called.values()].slice(-MAX_TOLD_CALLS)
      this.#called.clear()
      if (calls.length > 0) this.#options.onCalled({ calls })
      this.#scheduleLeaseEnd()
    }, NOTIFY_DELAY_MS)
  }

  #scheduleLeaseEnd(): void {
    clearTimeout(this.#leaseEnd)
    const ends = this.#leases.all.flatMap(({ until }) => (until === null ? [] : [until]))
    if (ends.length === 0) return
    this.#leaseEnd = setTimeout(() => this.#scheduleNotify(), Math.max(0, Math.min(...ends) - Date.now()) + 1)
  }
}

const MAX_AGENTS = 64
const TAKE_BACK_MS = 10_000
