import { renderPicture, type Scene } from './vicii'

export interface SpriteCollision {
  readonly n: number
  readonly sprites: readonly number[]
  readonly foreground: boolean
}

const numbers = [0, 1, 2, 3, 4, 5, 6, 7]
const ENABLED = 0x15

/** Of all eight, computed from their pixels: reading $D01E and $D01F from the machine would clear them. */
export function spriteCollisions(scene: Scene): SpriteCollision[] {
  if ((scene.registers[ENABLED] ?? 0) === 0) return numbers.map((n) => ({ n, sprites: [], foreground: false }))
  const { collidedWith, backgroundCollisions } = renderPicture(scene)
  return numbers.map((n) => ({
    n,
    sprites: bitsOf((collidedWith[n] ?? 0) & ~(1 << n)),
    foreground: (backgroundCollisions & (1 << n)) !== 0,
  }))
}

export const bitsOf = (bits: number): number[] => numbers.filter((n) => (bits & (1 << n)) !== 0)

export function collisionText({ sprites, foreground }: Pick<SpriteCollision, 'sprites' | 'foreground'>): string {
  const what = [
    ...(sprites.length === 0 ? [] : [`sprite${sprites.length === 1 ? '' : 's'} ${sprites.join(', ')}`]),
    ...(foreground ? ['the foreground'] : []),
  ]
  return what.length === 0 ? '' : `collides with ${what.join(' and ')}`
}
