/** VICE's checkpoints, with what VICE does not report: whether one is temporary, and its condition. */
import { findAmong } from '@shared/c64/labels/names'
import { AppError } from '@shared/contract/errors'
import type { Checkpoint } from '@shared/contract/machine'
import type { CheckpointControl, WantedCheckpoint } from '../facets'
import type { RunCommand } from './borrowedResources'
import { unsupportedByVice } from './capabilities'
import {
  deleteCheckpoint,
  listCheckpoints,
  setCheckpoint,
  setCondition,
  toggleCheckpoint,
  type CheckpointInfo,
} from './commands'
import { viceCondition } from './condition'

/** Shown for a condition that was set elsewhere: VICE reports that there is one, but not its text. */
const UNKNOWN_CONDITION = 'set in VICE itself'

const never = new AbortController().signal

export class Checkpoints implements CheckpointControl {
  readonly #command: RunCommand
  readonly #temporary = new Set<number>()
  readonly #conditions = new Map<number, string>()
  #mayStop = false

  constructor(command: RunCommand) {
    this.#command = command
  }

  /** Whether a checkpoint may stop the machine at any time. */
  get mayStop(): boolean {
    return this.#mayStop
  }

  async list(signal: AbortSignal): Promise<Checkpoint[]> {
    const list = await this.#command((send) => send(listCheckpoints()), signal)
    this.update(list)
    return list.map((info) => this.#describe(info))
  }

  async set({ names = [], ...wanted }: WantedCheckpoint, signal: AbortSignal): Promise<Checkpoint> {
    const { condition, fromHit, log } = wanted
    if (fromHit > 1 || log !== null) throw new AppError('UNSUPPORTED', unsupportedByVice.logPoints)
    const translated = condition === null ? null : viceCondition(condition, findAmong(names))
    // Enabled only once it has its condition. VICE treats a temporary checkpoint as "until" and leaves the monitor at
    // once, so it gets a permanent one, which is deleted when hit.
    const request = setCheckpoint({ ...wanted, temporary: false, enabled: wanted.enabled && condition === null })
    if (wanted.stop && wanted.enabled) this.#mayStop = true
    const set = await this.#command((send) => send(request), signal)
    if (wanted.temporary) this.#temporary.add(set.number)
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

  async delete(number: number, signal: AbortSignal): Promise<void> {
    this.#temporary.delete(number)
    const [, list] = await this.#command(
      (send) => Promise.all([send(deleteCheckpoint(number)), send(listCheckpoints())]),
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

  /** Whether it was set here to be deleted, and is still there. */
  isTemporary(number: number): boolean {
    return this.#temporary.has(number)
  }

  /** Deletes the temporary checkpoints that were set here. */
  async deleteTemporary(signal: AbortSignal): Promise<void> {
    for (const number of this.#temporary) await this.delete(number, signal)
  }

  /** A checkpoint was hit, possibly one set in VICE's own monitor. */
  noteHit({ stop, number }: CheckpointInfo): void {
    if (stop) this.#mayStop = true
    if (this.#temporary.has(number)) this.delete(number, never).catch(() => undefined)
  }

  /** Adopts the list that VICE reports. */
  update(checkpoints: readonly CheckpointInfo[]): void {
    this.#mayStop = checkpoints.some(({ stop, enabled }) => stop && enabled)
    const numbers = new Set(checkpoints.map(({ number }) => number))
    for (const number of this.#temporary) if (!numbers.has(number)) this.#temporary.delete(number)
    for (const number of this.#conditions.keys()) if (!numbers.has(number)) this.#conditions.delete(number)
  }

  #describe({ hasCondition, ...info }: CheckpointInfo): Checkpoint {
    return {
      ...info,
      temporary: info.temporary || this.#temporary.has(info.number),
      condition: this.conditionOf({ number: info.number, hasCondition }),
      fromHit: 1,
      log: null,
    }
  }
}
