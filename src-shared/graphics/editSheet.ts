import type { AnimationFrame, SpriteAnimation, SpriteArt, SpriteSheet } from './artwork'

export function withOrder(sheet: SpriteSheet, order: readonly number[]): SpriteSheet {
  const to = new Map(order.map((from, at) => [from, at]))
  const moved = ({ sprite, ms }: AnimationFrame): AnimationFrame[] => {
    const at = to.get(sprite)
    return at === undefined ? [] : [{ sprite: at, ms }]
  }
  return {
    ...sheet,
    sprites: order.flatMap((from) => sheet.sprites[from] ?? []),
    animations: sheet.animations.map((animation) => ({ ...animation, frames: animation.frames.flatMap(moved) })),
  }
}

const indexesOf = ({ sprites }: SpriteSheet): number[] => sprites.map((_, at) => at)

export const withoutSprites = (sheet: SpriteSheet, gone: ReadonlySet<number>): SpriteSheet =>
  withOrder(
    sheet,
    indexesOf(sheet).filter((at) => !gone.has(at)),
  )

export function withMoved(
  sheet: SpriteSheet,
  chosen: ReadonlySet<number>,
  step: 1 | -1,
): { readonly sheet: SpriteSheet; readonly chosen: ReadonlySet<number> } {
  const order = indexesOf(sheet)
  const walk = step === 1 ? [...order].reverse() : [...order]
  for (const at of walk) {
    const [one, other] = [order[at], order[at + step]]
    if (one === undefined || other === undefined || !chosen.has(one) || chosen.has(other)) continue
    order[at] = other
    order[at + step] = one
  }
  const to = new Set(order.flatMap((from, at) => (chosen.has(from) ? [at] : [])))
  return { sheet: withOrder(sheet, order), chosen: to }
}

/** @param behind an index; -1 inserts at the front */
export function withInserted(sheet: SpriteSheet, added: readonly SpriteArt[], behind: number): SpriteSheet {
  const shifted = (index: number) => (index > behind ? index + added.length : index)
  return {
    ...sheet,
    sprites: [...sheet.sprites.slice(0, behind + 1), ...added, ...sheet.sprites.slice(behind + 1)],
    animations: sheet.animations.map((animation) => ({
      ...animation,
      frames: animation.frames.map((frame) => ({ ...frame, sprite: shifted(frame.sprite) })),
    })),
  }
}

export const withSprite = (sheet: SpriteSheet, at: number, changes: Partial<SpriteArt>): SpriteSheet => ({
  ...sheet,
  sprites: sheet.sprites.map((sprite, index) => (index === at ? { ...sprite, ...changes } : sprite)),
})

export function withMovedFrame(sheet: SpriteSheet, animation: number, from: number, to: number): SpriteSheet {
  const frames = sheet.animations[animation]?.frames
  const moved = frames?.[from]
  if (!frames || !moved || to < 0 || to >= frames.length || from === to) return sheet
  return withAnimation(sheet, animation, { frames: frames.toSpliced(from, 1).toSpliced(to, 0, moved) })
}

export const withAnimation = (sheet: SpriteSheet, at: number, changes: Partial<SpriteAnimation>): SpriteSheet => ({
  ...sheet,
  animations: sheet.animations.map((animation, index) => (index === at ? { ...animation, ...changes } : animation)),
})
