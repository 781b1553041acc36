import type { AnimationFrame, SpriteArt } from './artwork'

export interface ShownSprite {
  /** When it was seen, ms; it counts as shown until the next one. */
  readonly time: number
  readonly sprite: SpriteArt
}

/** The most changes remembered, as a program that draws its sprite anew all the time would have no end of them. */
export const MAX_CHANGES = 2000

interface Run {
  readonly key: number
  readonly start: number
}

export class AnimationGrab {
  readonly #sprites: SpriteArt[] = []
  readonly #keys = new Map<string, number>()
  readonly #runs: Run[] = []
  #end = -Infinity

  get pictures(): number {
    return this.#sprites.length
  }

  get changes(): number {
    return Math.max(0, this.#runs.length - 1)
  }

  get isFull(): boolean {
    return this.#runs.length >= MAX_CHANGES
  }

  add({ time, sprite }: ShownSprite): void {
    if (time < this.#end) this.#clear()
    this.#end = time
    const { bytes, colour, multicolour, expandX, expandY } = sprite
    const text = [bytes.join(), colour, multicolour, expandX, expandY].join()
    const key = this.#keys.get(text) ?? this.#sprites.length
    if (this.#runs.at(-1)?.key === key || this.isFull) return
    if (key === this.#sprites.length) {
      this.#keys.set(text, key)
      this.#sprites.push(sprite)
    }
    this.#runs.push({ key, start: time })
  }

  /** @param frameMs of the machine: times are whole frames */
  result(frameMs: number): GrabbedAnimation {
    const lengths = this.#runs.map(({ start }, at) => (this.#runs[at + 1]?.start ?? this.#end) - start)
    const shown = this.#runs.map(({ key }, at) => ({ sprite: key, ms: lengths[at] ?? 0 }))
    return { sprites: this.#sprites, ...animationOf(shown, frameMs) }
  }

  #clear(): void {
    this.#sprites.length = 0
    this.#runs.length = 0
    this.#keys.clear()
  }
}

export interface GrabbedAnimation {
  readonly sprites: readonly SpriteArt[]
  readonly frames: readonly AnimationFrame[]
  /** Frames after which the program began again; null where it did not while it was watched. */
  readonly period: number | null
}

interface Shown {
  readonly sprite: number
  readonly ms: number
}

export function animationOf(
  shown: readonly Shown[],
  frameMs: number,
): { readonly frames: readonly AnimationFrame[]; readonly period: number | null } {
  const period = periodOf(shown.map(({ sprite }) => sprite))
  const whole = (ms: number) =>
    Math.min(60_000, Math.max(1, Math.round(Math.max(1, Math.round(ms / frameMs)) * frameMs)))
  if (period === null) return { frames: shown.map(({ sprite, ms }) => ({ sprite, ms: whole(ms) })), period }
  const frames = shown.slice(0, period).map(({ sprite }, at) => {
    const times = shown.flatMap((each, index) =>
      index % period === at && index > 0 && index < shown.length - 1 ? [each.ms] : [],
    )
    return { sprite, ms: whole(median(times)) }
  })
  return { frames, period }
}

function periodOf(keys: readonly number[]): number | null {
  for (let period = 2; period * 2 <= keys.length; period++)
    if (keys.every((key, at) => at < period || key === keys[at - period])) return period
  return null
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? 0
}
