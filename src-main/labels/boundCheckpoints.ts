import type { Checkpoint } from '@shared/contract/machine'
import { SerialQueue } from '@shared/serialQueue'
import { requireFacet } from '../machine/machine'
import type { MachineManager } from '../machine/manager'
import type { Labels } from './labels'

interface Bound {
  /** In full: `draw.loop`. */
  readonly label: string
  readonly start: number
}

interface BoundOptions {
  readonly machines: MachineManager
  readonly labels: Labels
  readonly log: (message: string, error?: unknown) => void
}

const DEADLINE_MS = 5_000

/** Checkpoints that were set by a label: when the program is rebuilt, they follow it to its new address. */
export class BoundCheckpoints {
  readonly #options: BoundOptions
  readonly #bound = new Map<string, Map<number, Bound>>()
  readonly #queue = new SerialQueue()

  constructor(options: BoundOptions) {
    this.#options = options
  }

  bind(machine: string, { number, start }: Checkpoint, label: string): void {
    const bound = this.#bound.get(machine) ?? new Map<number, Bound>()
    this.#bound.set(machine, bound.set(number, { label, start }))
  }

  /** The label that a checkpoint follows; null for none. A machine that began again has others of the same number. */
  labelOf(machine: string, { number, start }: Checkpoint): string | null {
    const bound = this.#bound.get(machine)?.get(number)
    return bound?.start === start ? bound.label : null
  }

  /** Moves the checkpoints whose labels moved. */
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
    for (const [number, { label, start }] of [...bound]) {
      const checkpoint = listed.find((other) => other.number === number && other.start === start)
      if (!checkpoint) {
        bound.delete(number)
        continue
      }
      const to = await labels.addressOf(machine, label)
      if (to === null || to === start) continue
      const { number: _, hits: __, ...wanted } = checkpoint
      // Set before the old one is deleted, so that none is lost where the machine refuses.
      const end = Math.min(0xffff, to + (wanted.end - start))
      const moved = await control.set({ ...wanted, start: to, end }, signal)
      await control.delete(number, signal)
      bound.delete(number)
      this.bind(machine, moved, label)
    }
  }
}
