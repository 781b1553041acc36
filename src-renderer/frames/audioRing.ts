/** Seconds; older sound is dropped. */
export const RING = 0.2
/** Seconds: enough to bridge a late block, with little delay. */
const TARGET = RING / 2
/** A share of the machine's speed: a twelfth of a semitone. */
const MOST_CORRECTION = 0.005
/** Interpolation looks at one frame before and two after. */
const AHEAD = 2

/**
 * A ring of 200 ms between a machine whose blocks come as the network lets them and a player that never waits.
 * Resamples from the machine's rate to the player's. One frame is a left and a right sample.
 */
export class AudioRing {
  dropped = 0
  gaps = 0
  readonly #outputRate: number
  #rate = 0
  /** Left and right samples alternate. */
  #frames = new Float32Array(0)
  #capacity = 0
  #written = 0
  #at = 0
  #isPlaying = false

  /** @param outputRate frames that are pulled per second */
  constructor(outputRate: number) {
    this.#outputRate = outputRate
  }

  /** In seconds. */
  get level(): number {
    return this.#rate === 0 ? 0 : (this.#written - this.#at) / this.#rate
  }

  /**
   * Another rate than before starts anew.
   * @param samples left and right alternate
   */
  push(samples: Int16Array, rate: number): void {
    if (rate !== this.#rate) this.#start(rate)
    for (let index = 0; index + 1 < samples.length; index += 2) {
      const slot = (this.#written % this.#capacity) * 2
      this.#frames[slot] = (samples[index] ?? 0) / 0x8000
      this.#frames[slot + 1] = (samples[index + 1] ?? 0) / 0x8000
      this.#written++
    }
    this.#isPlaying ||= this.level >= TARGET
    if (this.level <= RING) return
    const next = this.#written - TARGET * rate
    this.dropped += Math.round(next - this.#at)
    this.#at = next
  }

  pull(left: Float32Array, right: Float32Array): void {
    const offTarget = Math.max(-1, Math.min(1, (this.level - TARGET) / TARGET))
    const step = (this.#rate / this.#outputRate) * (1 + offTarget * MOST_CORRECTION)
    for (let index = 0; index < left.length; index++) {
      if (this.#isPlaying && this.#at + AHEAD >= this.#written) {
        this.#isPlaying = false
        this.gaps++
      }
      left[index] = this.#isPlaying ? this.#between(0) : 0
      right[index] = this.#isPlaying ? this.#between(1) : 0
      if (this.#isPlaying) this.#at += step
    }
  }

  clear(): void {
    this.#at = this.#written
    this.#isPlaying = false
  }

  #start(rate: number): void {
    this.#rate = rate
    // Room for the block that overflows the ring, and for what interpolation looks back at.
    this.#capacity = Math.ceil(rate * RING * 2)
    this.#frames = new Float32Array(this.#capacity * 2)
    this.#written = 0
    this.#at = 0
    this.#isPlaying = false
  }

  /** Catmull-Rom curve through four frames. */
  #between(channel: 0 | 1): number {
    const frame = Math.floor(this.#at)
    const t = this.#at - frame
    const b = this.#sample(frame, channel)
    const a = frame === 0 ? b : this.#sample(frame - 1, channel)
    const c = this.#sample(frame + 1, channel)
    const d = this.#sample(frame + 2, channel)
    return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))
  }

  #sample(frame: number, channel: 0 | 1): number {
    return this.#frames[(frame % this.#capacity) * 2 + channel] ?? 0
  }
}
