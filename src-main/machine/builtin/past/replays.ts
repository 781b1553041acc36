/** Living through saved pasts: how far the present one is. */
import type { C64 } from '../c64'
import type { Roms } from '../pla'
import { TimeTravel } from './timeTravel'

/** How often it is told how far a replay is, ms. */
const PROGRESS_PERIOD = 200

export class Replays {
  readonly #tell: () => void
  #share: number | null = null
  #told = -Infinity

  /** @param tell `share` has changed */
  constructor(tell: () => void) {
    this.#tell = tell
  }

  /** From 0 to 1; null while nothing is replayed. */
  get share(): number | null {
    return this.#share
  }

  /** A machine of its own, at the end of the past. @throws AppError as `TimeTravel.fromFile` does */
  async run(
    file: Uint8Array,
    roms: Roms,
    signal: AbortSignal,
  ): Promise<{ readonly c64: C64; readonly time: TimeTravel }> {
    try {
      return await TimeTravel.fromFile(file, roms, signal, (share) => this.#note(share))
    } finally {
      this.#share = null
      this.#tell()
    }
  }

  #note(share: number): void {
    if (performance.now() - this.#told < PROGRESS_PERIOD) return
    this.#told = performance.now()
    this.#share = share
    this.#tell()
  }
}
