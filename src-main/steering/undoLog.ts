import { commandTable, type OwnedBy } from '@shared/contract/contract'
import { AppError } from '@shared/contract/errors'
import type { AgentCall } from '@shared/contract/steering'
import type { PastPoint } from '../machine/facets'
import { requireFacet, type Machine } from '../machine/machine'
import { standingStill } from '../machine/readImage'
import { loadState, putBack, readRam, readWritten, returnTo, type Before } from './restore'

const MAX_KEPT_BYTES = 32 * 1024 * 1024

interface Change {
  readonly call: number
  readonly agent: number
  readonly machine: string
  readonly before: Before[]
  written: number
  state: Uint8Array | null
  warp: boolean | null
  hasMoved: boolean
  point: PastPoint | null
  readonly wasRunning: boolean
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

  async before(
    { call, agent, machine }: Pick<Change, 'call' | 'agent' | 'machine'>,
    command: OwnedBy<'bridge'>,
    input: unknown,
    signal: AbortSignal,
  ): Promise<void> {
    const kind = keptBefore(command)
    if (kind === null) return
    const live = this.#machines.live(machine)
    const change =
      this.#changes.find((known) => known.call === call && known.machine === machine) ??
      (await this.#add({ call, agent, machine }, live, signal))
    try {
      if (kind === 'warp') change.warp ??= live.status.warp
      if (kind === 'bytes') {
        const replaced = await readWritten(live, input, signal)
        change.written += replaced.reduce((sum, { bytes }) => sum + bytes.length, 0)
        change.before.push(...replaced)
      }
      if (kind === 'state' && change.state === null) {
        change.state = await requireFacet(live, 'saveState').save(0, signal)
        this.#loseMoments(machine)
      }
      if (kind !== 'moment' || change.hasMoved) return
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
    const { written, point, isPartial } = change
    const undo = undoOf(change)
    return { bytes: written, undo: isPartial && undo !== 'time' ? null : undo, clock: point?.clock ?? null }
  }

  lastOf(agent: number): { readonly call: number; readonly machine: string } | undefined {
    return this.#changes.findLast((change) => change.agent === agent && this.of(change.call).undo !== null)
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
    const warp = undone.find((change) => change.warp !== null)?.warp ?? null
    if (warp !== null) await requireFacet(live, 'warp').setWarp(warp, signal)
    const text = undone.every((change) => undoOf(change) === 'warp')
      ? `Warp is ${warp ? 'on' : 'off'} again.`
      : await putAllBack(live, undone, signal)
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
      call,
      agent,
      machine,
      before: [],
      written: 0,
      state: null,
      warp: null,
      hasMoved: false,
      isPartial: false,
      point,
      wasRunning: live.status.execution === 'running',
    }
    this.#changes.push(change)
    return change
  }

  /** With another state the machine's own time begins again: earlier moments cannot be reached any more. */
  #loseMoments(machine: string): void {
    for (const change of this.#changes) {
      if (change.machine !== machine || change.state !== null) continue
      change.isPartial ||= change.hasMoved
      change.point = null
    }
  }

  #forgetOldest(): void {
    const bytesOf = ({ before, state }: Change): number =>
      before.reduce((sum, { bytes }) => sum + bytes.length, state?.length ?? 0)
    let kept = this.#changes.reduce((sum, change) => sum + bytesOf(change), 0)
    while (kept > MAX_KEPT_BYTES) {
      const oldest = this.#changes.shift()
      if (!oldest) return
      kept -= bytesOf(oldest)
    }
  }
}

function keptBefore(command: OwnedBy<'bridge'>): 'bytes' | 'warp' | 'moment' | 'state' | null {
  const { effect } = commandTable[command]
  if (effect === 'replaces') return 'state'
  if (effect === 'runs' || effect === 'follows') return 'moment'
  if (command === 'machine.setWarp') return 'warp'
  return command === 'memory.write' || command === 'memory.writeRuns' ? 'bytes' : null
}

function undoOf({ state, hasMoved, point, before, warp }: Change): AgentCall['undo'] {
  if (state !== null) return 'state'
  if (hasMoved) return point === null ? 'ram' : 'time'
  return before.length === 0 && warp !== null ? 'warp' : 'bytes'
}

async function putAllBack(live: Machine, undone: readonly Change[], signal: AbortSignal): Promise<string> {
  const replaced = undone.findIndex(({ state }) => state !== null)
  const kept = replaced < 0 ? undone : undone.slice(0, replaced)
  const { state = null, wasRunning = false } = undone[replaced] ?? {}
  if (state !== null) await loadState(live, state, wasRunning, signal)
  const [first] = kept
  if (first?.point && kept.some(({ hasMoved }) => hasMoved))
    return returnTo(live, first.point, first.wasRunning, signal)
  const before = kept.flatMap((change) => change.before)
  if (state !== null && before.length === 0) return 'The machine has the state that it had before this call.'
  return standingStill({ machine: live, signal }, true, () => putBack(live, before, signal))
}
