import { accessedIn, accessSpaces } from '@shared/c64/banking'
import type { Notify } from '../../rpc/protocol'
import { accessesSince } from './accesses'
import type { C64 } from './c64'
import type { BuiltinChannel, SamplingInput, WorkerSample } from './messages'
import { readRegisters } from './registers'
import { segmentOf } from './spaces'

export class Sampling {
  readonly #notify: Notify<BuiltinChannel>
  #request: SamplingInput = { mode: 'off', rate: 0, spaces: [], picture: false }
  #last = 0
  /** ms on the monotonic clock. */
  #due = 0
  #accessesFrom = 0

  constructor(notify: Notify<BuiltinChannel>) {
    this.#notify = notify
  }

  /** ms on the monotonic clock. */
  get last(): number {
    return this.#last
  }

  request(request: SamplingInput, clock: number): void {
    // Accesses since the last sample belong to the next one, whatever else that has.
    if (this.#request.mode === 'off') this.#accessesFrom = clock
    this.#request = request
    this.#due = 0
  }

  /** After a frame of a running machine; at most once a frame. */
  takeDue(machine: C64): void {
    const { mode, rate } = this.#request
    if (mode === 'off') return
    if (mode === 'free') {
      const now = performance.now()
      if (now < this.#due) return
      // Counted from when it was due, so that the rate holds; after a pause from now.
      this.#due = Math.max(this.#due + 1000 / rate, now)
    }
    this.take(machine)
  }

  take(machine: C64): void {
    const { spaces, picture } = this.#request
    if (spaces.length === 0 && !picture) return
    this.#last = performance.now()
    const since = Math.min(this.#accessesFrom, machine.clock)
    this.#accessesFrom = machine.clock
    const accessed = accessSpaces.filter((space) => spaces.some((sampled) => accessedIn(sampled) === space))
    const sample: WorkerSample = {
      time: performance.timeOrigin + this.#last,
      segments: spaces.map((space) => segmentOf(machine, space)),
      registers: readRegisters(machine),
      ...(picture ? { picture: machine.picture() } : {}),
      ...(accessed.length > 0 || spaces.includes('cpu') ? { accesses: accessesSince(machine, since, accessed) } : {}),
    }
    this.#notify('sample', sample, buffersOf(sample))
  }
}

/** A sample is made afresh each time, so that its buffers can be moved to the driver. */
function buffersOf({ segments, picture, accesses }: WorkerSample): ArrayBuffer[] {
  const { spaces = {}, ...anywhere } = accesses ?? {}
  const bitmaps: readonly Uint8Array[] = [anywhere, ...Object.values(spaces)].flatMap((each) => Object.values(each))
  const views = [...segments.map(({ bytes }) => bytes), ...(picture ? [picture.pixels] : []), ...bitmaps]
  return views.flatMap(({ buffer }) => (buffer instanceof ArrayBuffer ? [buffer] : []))
}
