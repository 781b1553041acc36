import type { HistoryLimits } from '@shared/contract/machine'
import type { C64 } from '../c64'
import type { Roms } from '../pla'
import { TimeTravel } from './timeTravel'

/** ms */
const PROGRESS_PERIOD_MS = 200

export class Replays {
  readonly #notify: () => void
  #share: number | null = null
  #notified = -Infinity

  constructor(notify: () => void) {
    this.#notify = notify
  }

  get share(): number | null {
    return this.#share
  }

  /**
   * On a machine of its own.
   * @throws AppError as `TimeTravel.fromFile` does
   */
  async run(
    file: Uint8Array,
    roms: Roms,
    signal: AbortSignal,
    history: HistoryLimits,
  ): Promise<{ readonly c64: C64; readonly time: TimeTravel }> {
    try {
      return await TimeTravel.fromFile(file, roms, signal, (share) => this.#setShare(share), history)
    } finally {
      this.#share = null
      this.#notify()
    }
  }

  #setShare(share: number): void {
    if (performance.now() - this.#notified < PROGRESS_PERIOD_MS) return
    this.#notified = performance.now()
    this.#share = share
    this.#notify()
  }
}
