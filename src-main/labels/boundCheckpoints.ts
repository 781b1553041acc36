import { isDeepStrictEqual } from 'node:util'
import type { NamedAddress } from '@shared/c64/labels/names'
import { toFailure } from '@shared/contract/errors'
import type { Checkpoint, LabelledCheckpoint } from '@shared/contract/machine'
import { SerialQueue } from '@shared/serialQueue'
import type { CheckpointControl } from '../machine/facets'
import { requireFacet } from '../machine/machine'
import type { MachineManager } from '../machine/manager'
import type { Labels } from './labels'

interface Bound {
  /** In full: `draw.loop`; null for one that stays at its address. */
  readonly label: string | null
  readonly start: number
  /** That its condition and its message use. */
  readonly names: readonly NamedAddress[]
}

type Bindable = Omit<LabelledCheckpoint, 'number' | 'hits'>

interface BoundOptions {
  readonly machines: MachineManager
  readonly labels: Labels
  readonly log: (message: string, error?: unknown) => void
}

const DEADLINE_MS = 5_000

/** Checkpoints that name labels: when the program is rebuilt, they follow them to their new addresses. */
export class BoundCheckpoints {
  readonly #options: BoundOptions
  readonly #bound = new Map<string, Map<number, Bound>>()
  readonly #queue = new SerialQueue()

  constructor(options: BoundOptions) {
    this.#options = options
  }

  /** @throws AppError INVALID for a condition or a message that cannot be read, and what the machine refuses */
  set(machine: string, wanted: Bindable, signal: AbortSignal): Promise<Checkpoint> {
    // Not while others follow: labels that change meanwhile would be missed.
    return this.#queue.run(async () => {
      const control = requireFacet(this.#options.machines.live(machine), 'checkpoints')
      return this.#set(control, machine, wanted, await this.#namesOf(machine, wanted), signal)
    })
  }

  async #set(
    control: CheckpointControl,
    machine: string,
    { label, ...wanted }: Bindable,
    names: Bound['names'],
    signal: AbortSignal,
  ): Promise<Checkpoint> {
    const checkpoint = await control.set({ ...wanted, names }, signal)
    if (label !== null || names.length > 0) {
      const bound = this.#bound.get(machine) ?? new Map<number, Bound>()
      this.#bound.set(machine, bound.set(checkpoint.number, { label, start: checkpoint.start, names }))
    }
    return checkpoint
  }

  async #namesOf(machine: string, { condition, log }: Pick<Checkpoint, 'condition' | 'log'>): Promise<Bound['names']> {
    if (condition === null && log === null) return []
    return this.#options.labels.ask('expressionNames', machine, { machine, condition, log })
  }

  /** Those of before where a label is gone, or stands for several addresses. */
  async #namesNow(machine: string, checkpoint: Checkpoint, before: Bound['names']): Promise<Bound['names']> {
    if (before.length === 0) return before
    try {
      return await this.#namesOf(machine, checkpoint)
    } catch (error) {
      if (toFailure(error).code === 'INVALID') return before
      throw error
    }
  }

  /** The label that a checkpoint follows; null for none. A machine that began again has others of the same number. */
  labelOf(machine: string, { number, start }: Checkpoint): string | null {
    const bound = this.#bound.get(machine)?.get(number)
    return bound?.start === start ? bound.label : null
  }

  /** Sets those again whose labels moved. */
  follow(machine: string): Promise<void> {
    return this.#queue
      .run(() => this.#follow(machine))
      .catch((error: unknown) =>
        this.#options.log(`The checkpoints of ${machine} could not follow their labels`, error),
      )
  }

  async #follow(machine: string): Promise<void> {
    const bound = this.#bound.get(machine)
    if (bound === undefined || bound.size === 0) return
    const { machines, labels } = this.#options
    const signal = AbortSignal.timeout(DEADLINE_MS)
    const control = requireFacet(machines.live(machine), 'checkpoints')
    const listed = await control.list(signal)
    for (const [number, { label, start, names }] of [...bound]) {
      const checkpoint = listed.find((other) => other.number === number && other.start === start)
      if (!checkpoint) {
        bound.delete(number)
        continue
      }
      const to = (label === null ? null : await labels.addressOf(machine, label)) ?? start
      const namesNow = await this.#namesNow(machine, checkpoint, names)
      if (to === start && isDeepStrictEqual(namesNow, names)) continue
      const { number: _, hits: __, ...wanted } = checkpoint
      // Set before the old one is deleted, so that none is lost where the machine refuses.
      const end = Math.min(0xffff, to + (wanted.end - start))
      await this.#set(control, machine, { ...wanted, label, start: to, end }, namesNow, signal)
      await control.delete(number, signal)
      bound.delete(number)
    }
  }
}
