import type { AnimationFrame, SharedSpriteColours, SpriteArt, SpriteLook, SpriteSheet } from './artwork'

export interface SeenSprite {
  /** ms on any clock. */
  readonly time: number
  readonly bytes: Uint8Array
  readonly look: SpriteLook
}

const MAX_FRAME_MS = 60_000

interface Step {
  readonly sprite: number
  readonly ms: number
}

/**
 * Where the pictures repeat, this is one round of them, each shown for its average time.
 * @param seen in the order of their times
 * @param end when the last one was still there
 */
export function animationOfSeen(
  seen: readonly SeenSprite[],
  end: number,
  name: string,
  colours: SharedSpriteColours,
): SpriteSheet {
  const { sprites, steps } = stepsOf(seen, end)
  const frames = roundOf(steps).map(({ sprite, ms }): AnimationFrame => ({ sprite, ms: frameMs(ms) }))
  return {
    kind: 'sprites',
    name,
    ...colours,
    sprites,
    animations: frames.length === 0 ? [] : [{ name, frames, isPingPong: false }],
  }
}

const frameMs = (ms: number): number => Math.max(1, Math.min(MAX_FRAME_MS, Math.round(ms)))

function stepsOf(seen: readonly SeenSprite[], end: number): { sprites: SpriteArt[]; steps: Step[] } {
  const sprites: SpriteArt[] = []
  const known = new Map<string, number>()
  const changes: { sprite: number; time: number }[] = []
  for (const { time, bytes, look } of seen) {
    const key = `${bytes.join()} ${look.colour} ${look.multicolour} ${look.expandX} ${look.expandY}`
    const sprite = known.get(key) ?? sprites.length
    if (sprite === sprites.length) {
      known.set(key, sprite)
      sprites.push({ ...look, name: `frame ${sprite + 1}`, bytes, overlay: false })
    }
    if (changes.at(-1)?.sprite !== sprite) changes.push({ sprite, time })
  }
  const steps = changes.map(({ sprite, time }, at) => ({ sprite, ms: (changes[at + 1]?.time ?? end) - time }))
  return { sprites, steps }
}

function roundOf(steps: readonly Step[]): readonly Step[] {
  for (let length = 2; length * 2 <= steps.length; length++) {
    if (!steps.every(({ sprite }, at) => at < length || sprite === steps[at - length]?.sprite)) continue
    return Array.from({ length }, (_, at) => ({ sprite: steps[at]?.sprite ?? 0, ms: averageMs(steps, at, length) }))
  }
  return steps
}

/** The first and last step were seen only in part: they count where there is nothing else. */
function averageMs(steps: readonly Step[], first: number, length: number): number {
  const all = steps.filter((_, at) => at % length === first)
  const whole = steps.filter((_, at) => at % length === first && at > 0 && at < steps.length - 1)
  const counted = whole.length > 0 ? whole : all
  return counted.reduce((sum, { ms }) => sum + ms, 0) / counted.length
}
