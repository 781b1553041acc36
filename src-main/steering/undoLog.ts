/** What agents changed, kept so that it can be put back: bytes that they wrote over, and the moment before they ran something. */
import type { OwnedBy } from '@shared/contract/contract'
import { AppError } from '@shared/contract/errors'
import type { AgentCall } from '@shared/contract/steering'
import type { PastPoint } from '../machine/facets'
import type { Machine } from '../machine/machine'
import { standingStill } from '../machine/readImage'
import { isMoving } from './changing'
import { putBack, readRam, readWritten, returnTo, type Before } from './restore'

/** Of all calls; the oldest are forgotten. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024

interface Change {
  readonly call: number
  readonly agent: number
  readonly machine: string
  /** In the order of the changes. */
  readonly before: Before[]
  written: number
  hasMoved: boolean
  /** Of the machine’s own time, where it keeps one. */
  readonly point: PastPoint | null
  readonly wasRunning: boolean
  /** Something could not be read before it was changed. */
  isPartial: boolean
}

export interface UndoMachines {
  live(machine: string): Machine
}

export class UndoLog {
  readonly #machines: UndoMachines
  readonly #changes: Change[] = []

  constructor(machines: UndoMachines) {
    this.#machines = machines
  }

  /** Before an agent's command on a machine; reads what it is about to change. */
  async before(
    { call, agent, machine }: Pick<Change, 'call' | 'agent' | 'machine'>,
    command: OwnedBy<'bridge'>,
    input: unknown,
    signal: AbortSignal,
  ): Promise<void> {
    const isWrite = command === 'memory.write' || command === 'memory.writeRuns'
    if (!isWrite && !isMoving(command)) return
    const live = this.#machines.live(machine)
    const change =
      this.#changes.find((known) => known.call === call && known.machine === machine) ??
      (await this.#add({ call, agent, machine }, live, signal))
    try {
      const replaced = isWrite ? await readWritten(live, input, signal) : []
      change.written += replaced.reduce((sum, { bytes }) => sum + bytes.length, 0)
      change.before.push(...replaced)
      if (isWrite || change.hasMoved) return
      change.hasMoved = true
      if (change.point === null) change.before.push(await readRam(live, signal))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      change.isPartial = true
    }
    this.#forgetOldest()
  }

  of(call: number): Pick<AgentCall, 'bytes' | 'undo' | 'clock'> {
    const change = this.#changes.find((known) => known.call === call)
    if (!change) return { bytes: 0, undo: null, clock: null }
    const { written, hasMoved, point, isPartial } = change
    const undo = hasMoved ? (point === null ? 'ram' : 'time') : 'bytes'
    return { bytes: written, undo: isPartial && undo !== 'time' ? null : undo, clock: point?.clock ?? null }
  }

  /**
   * Undoes the call and all later ones of its agent on the machine.
   * @returns the calls, and what was put back, in one sentence
   * @throws AppError NOT_FOUND where it is not kept, CONFLICT where the machine’s time went another way since
   */
  async undo(call: number, signal: AbortSignal): Promise<{ calls: number[]; text: string }> {
    const first = this.#changes.find((known) => known.call === call)
    if (!first || this.of(call).undo === null)
      throw new AppError('NOT_FOUND', 'What this call changed is not kept, so that it cannot be undone.')
    const { agent, machine } = first
    const undone = this.#changes.filter(
      (change) => change.call >= call && change.agent === agent && change.machine === machine,
    )
    const live = this.#machines.live(machine)
    const before = undone.flatMap((change) => change.before)
    const text =
      first.point && undone.some(({ hasMoved }) => hasMoved)
        ? await returnTo(live, first.point, first.wasRunning, signal)
        : await standingStill({ machine: live, signal }, true, () => putBack(live, before, signal))
    for (const change of undone) this.#changes.splice(this.#changes.indexOf(change), 1)
    return { calls: undone.map((change) => change.call), text }
  }

  async #add(
    { call, agent, machine }: Pick<Change, 'call' | 'agent' | 'machine'>,
    live: Machine,
    signal: AbortSignal,
  ): Promise<Change> {
    const point = live.timeTravel ? await live.timeTravel.point(signal) : null
    const change: Change = {
      ...{ call, agent, machine, before: [], written: 0, hasMoved: false, isPartial: false, point },
      wasRunning: live.status.execution === 'running',
    }
    this.#changes.push(change)
    return change
  }

  #forgetOldest(): void {
    const bytesOf = ({ before }: Change): number => before.reduce((sum, { bytes }) => sum + bytes.length, 0)
    let kept = this.#changes.reduce((sum, change) => sum + bytesOf(change), 0)
    while (kept > MAX_KEPT_BYTES) {
      const oldest = this.#changes.shift()
      if (!oldest) return
      kept -= bytesOf(oldest)
    }
  }
}
