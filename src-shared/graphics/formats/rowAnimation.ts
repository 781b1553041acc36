import type { SpriteAnimation } from '../artwork'

interface RowAnimation {
  readonly start: number
  readonly end: number
  readonly ms: number
  readonly isPingPong: boolean
}

export function rowOf({ frames, isPingPong }: SpriteAnimation): RowAnimation | null {
  const [first] = frames
  if (!first || frames.length < 2) return null
  const isInRow = frames.every(({ sprite, ms }, n) => sprite === first.sprite + n && ms === first.ms)
  return isInRow ? { start: first.sprite, end: first.sprite + frames.length - 1, ms: first.ms, isPingPong } : null
}

/**
 * Empty for fewer than two sprites: programs write such an entry where there is no animation.
 * @param count of all sprites
 */
export function animationOfRow({ start, end, ms, isPingPong }: RowAnimation, count: number): SpriteAnimation[] {
  const last = Math.min(end, count - 1)
  if (last <= start) return []
  const frames = Array.from({ length: last - start + 1 }, (_, n) => ({ sprite: start + n, ms }))
  return [{ name: '', frames, isPingPong }]
}
