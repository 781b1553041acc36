import { requireLogMessage } from '@shared/c64/expressions/logMessage'
import type { ExpressionBank } from '@shared/c64/expressions/expression'
import { findAmong, type NamedAddress } from '@shared/c64/labels/names'
import { AppError } from '@shared/contract/errors'
import type { Checkpoint, Logged } from '@shared/contract/checkpoints'
import type { Register } from '@shared/contract/memory'
import type { CheckpointControl, WantedCheckpoint } from '../facets'
import type { RunCommand } from './borrowedResources'
import type { Send } from './client'
import {
  deleteCheckpoint,
  listCheckpoints,
  setCheckpoint,
  setCondition,
  toggleCheckpoint,
  type CheckpointInfo,
} from './commands'
import type { Request } from './codec'
import { viceCondition } from './condition'
import type { StoppedMachine } from './stoppedMachine'

/** Shown for a condition set elsewhere: VICE reports that there is one, but not its text. */
const UNKNOWN_CONDITION = 'set in VICE itself'

const never = new AbortController().signal

export interface NotedStop {
  readonly hit: CheckpointInfo
  readonly registers: readonly Register[]
}

/** Done at a hit, for which VICE stops: it must send for what is noted before anything else is sent. */
export type Note = (send: Send, stop: NotedStop) => Promise<unknown>

export type NoteMachine = (
  banks: ReadonlySet<ExpressionBank>,
  take: (machine: StoppedMachine, hit: CheckpointInfo) => void,
) => Note

interface Passing extends Pick<Checkpoint, 'stop' | 'fromHit' | 'log'> {
  readonly note: Note | null
}

export class Checkpoints implements CheckpointControl {
  readonly #command: RunCommand
  readonly #temporary = new Set<number>()
  readonly #conditions = new Map<number, string>()
  readonly #passing = new Map<number, Passing>()
  #noted: { readonly note: Note; readonly hit: CheckpointInfo }[] = []
  readonly #hidden = new Set<number>()
  readonly #noteOfLog: (log: string | null, names: readonly NamedAddress[]) => Note | null
  #mayStop = false

  constructor(command: RunCommand, noteMachine: NoteMachine, log: (logged: Omit<Logged, 'line'>) => void) {
    this.#command = command
    this.#noteOfLog = (message, names) => noteOf(message, names, noteMachine, log)
  }

  get mayStop(): boolean {
    return this.#mayStop
  }

  async list(signal: AbortSignal): Promise<Checkpoint[]> {
    const list = await this.#command((send) => send(listCheckpoints()), signal)
    this.update(list)
    return list.filter(({ number }) => !this.#hidden.has(number)).map((info) => this.#describe(info))
  }

  async set(
    { names = [], ...wanted }: WantedCheckpoint,
    signal: AbortSignal,
    own: { readonly note: Note; readonly isHidden?: boolean } | null = null,
  ): Promise<Checkpoint> {
    const { condition, fromHit, log } = wanted
    const note = own?.note ?? this.#noteOfLog(log, names)
    const isPassing = fromHit > 1 || note !== null
    const stop = wanted.stop || note !== null
    const translated = condition === null ? null : viceCondition(condition, findAmong(names))
    // Enabled only once it has its condition. VICE treats a temporary checkpoint as "until" and leaves the monitor at
    // once, so a permanent one is set, and deleted when hit.
    const request = setCheckpoint({ ...wanted, stop, temporary: false, enabled: wanted.enabled && condition === null })
    if (stop && wanted.enabled) this.#mayStop = true
    // It may be hit before the answer is handled here.
    const passing = isPassing ? { stop: wanted.stop, fromHit, log, note } : null
    const set = await this.#command((send) => send(this.#passingFrom(request, passing)), signal)
    if (wanted.temporary) this.#temporary.add(set.number)
    if (own?.isHidden) this.#hidden.add(set.number)
    if (translated !== null) {
      try {
        await this.#command(
          (send) =>
            Promise.all([
              send(setCondition(set.number, translated)),
              send(toggleCheckpoint(set.number, wanted.enabled)),
            ]),
          signal,
        )
      } catch (error) {
        await this.delete(set.number, never)
        if (!(error instanceof AppError) || error.code !== 'INVALID') throw error
        throw new AppError('INVALID', `VICE does not understand the condition “${condition}”.`, {
          hint: `It was translated to ${translated}. Newer versions of VICE understand more.`,
        })
      }
    }
    if (condition !== null) this.#conditions.set(set.number, condition)
    return { ...this.#describe({ ...set, hasCondition: condition !== null }), enabled: wanted.enabled }
  }

  delete(number: number, signal: AbortSignal): Promise<void> {
    return this.deleteAll([number], signal)
  }

  async deleteAll(wanted: readonly number[], signal: AbortSignal): Promise<void> {
    for (const number of wanted) this.#temporary.delete(number)
    const [, list] = await this.#command(
      (send) =>
        Promise.all([Promise.all(wanted.map((number) => send(deleteCheckpoint(number)))), send(listCheckpoints())]),
      signal,
    )
    this.update(list)
  }

  async enable(number: number, enabled: boolean, signal: AbortSignal): Promise<void> {
    if (enabled) this.#mayStop = true
    const [, list] = await this.#command(
      (send) => Promise.all([send(toggleCheckpoint(number, enabled)), send(listCheckpoints())]),
      signal,
    )
    this.update(list)
  }

  conditionOf({ number, hasCondition }: Pick<CheckpointInfo, 'number' | 'hasCondition'>): string | null {
    return this.#conditions.get(number) ?? (hasCondition ? UNKNOWN_CONDITION : null)
  }

  isTemporary(number: number): boolean {
    return this.#temporary.has(number)
  }

  /** Deletes temporary checkpoints and those that we let continue, as they would act differently without us. */
  async deleteOurs(signal: AbortSignal): Promise<void> {
    await this.deleteAll([...new Set([...this.#temporary, ...this.#passing.keys()])], signal)
  }

  /**
   * Also for a checkpoint set in VICE's own monitor.
   * @param isLeaving the machine was already stopped there: it does not stop again, but the hit is noted
   * @returns whether it stops the machine
   */
  hit(info: CheckpointInfo, isLeaving: boolean): boolean {
    const { stop, number, hits } = info
    if (stop) this.#mayStop = true
    const passing = this.#passing.get(number)
    const counts = hits >= (passing?.fromHit ?? 1)
    const stops = counts && !isLeaving && (passing?.stop ?? stop)
    if (counts && !isLeaving && this.#temporary.has(number)) this.delete(number, never).catch(() => undefined)
    if (counts && passing?.note) this.#noted.push({ note: passing.note, hit: info })
    return stops
  }

  /** What is to be noted where VICE stands; it is handed out once. */
  takeNotes(): readonly { readonly note: Note; readonly hit: CheckpointInfo }[] {
    const noted = this.#noted
    this.#noted = []
    return noted
  }

  get needUs(): boolean {
    return this.#passing.size > 0
  }

  isNoting(number: number): boolean {
    return this.#passing.has(number)
  }

  fromHitOf(number: number): number {
    return this.#passing.get(number)?.fromHit ?? 1
  }

  update(checkpoints: readonly CheckpointInfo[]): void {
    this.#mayStop = checkpoints.some(({ stop, enabled }) => stop && enabled)
    const numbers = new Set(checkpoints.map(({ number }) => number))
    for (const known of [this.#temporary, this.#hidden, this.#conditions, this.#passing])
      for (const number of known.keys()) if (!numbers.has(number)) known.delete(number)
  }

  /** VICE may report its first hit together with its number. */
  #passingFrom(request: Request<CheckpointInfo>, passing: Passing | null): Request<CheckpointInfo> {
    if (passing === null) return request
    return {
      ...request,
      parse: (body, items) => {
        const info = request.parse(body, items)
        this.#passing.set(info.number, passing)
        return info
      },
    }
  }

  #describe({ hasCondition, ...info }: CheckpointInfo): Checkpoint {
    const { stop, fromHit, log } = this.#passing.get(info.number) ?? { stop: info.stop, fromHit: 1, log: null }
    return {
      ...info,
      stop,
      temporary: info.temporary || this.#temporary.has(info.number),
      condition: this.conditionOf({ number: info.number, hasCondition }),
      fromHit,
      log,
    }
  }
}

function noteOf(
  log: string | null,
  names: readonly NamedAddress[],
  noteMachine: NoteMachine,
  add: (logged: Omit<Logged, 'line'>) => void,
): Note | null {
  if (log === null) return null
  const { text, banks } = requireLogMessage(log, findAmong(names))
  return noteMachine(banks, (machine, { number }) =>
    add({ checkpoint: number, pc: machine.register('PC'), clock: null, text: text(machine) }),
  )
}

export const findRegister = (registers: readonly Register[], name: string): number | undefined =>
  registers.find((register) => register.name === name)?.value
