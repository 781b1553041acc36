import { MACHINES_HEADING, type CommandGroup } from '../../command'
import { describeSprite, spriteColours } from '@shared/c64/spriteText'
import { collisionText, spriteCollisions, type SpriteCollision } from '@shared/c64/spriteCollisions'
import { spriteSights, type SpriteSight } from '@shared/c64/spriteSight'
import type { Sprite } from '@shared/c64/sprites'
import { formatAddress } from '@shared/c64/address'
import type { GraphicsMemory } from '../../graphicsMemory'

export const spriteGroup: CommandGroup = {
  name: 'sprite',
  aliases: ['sprites'],
  defaultVerb: 'list',
  heading: MACHINES_HEADING,
  summary: 'The sprites of a machine',
}

export const SPRITE_SHAPE =
  '{ sprite, enabled, x, y, pointer, address, mode, size, priority, colours, seen, pixels, why, hitsSprites, hitsForeground }'

export function describeSprites({ scene, sprites }: GraphicsMemory, wanted: readonly number[]) {
  const chosen = sprites.filter(({ n }) => wanted.includes(n))
  const collisions = spriteCollisions(scene)
  return spriteSights(scene, chosen).map((sight, index) => {
    const sprite = chosen[index]
    const collision = collisions[sight.n]
    if (!sprite || !collision) return { data: {}, cells: [] }
    return { data: dataOf(sprite, sight, collision), cells: cellsOf(sprite, sight, collision) }
  })
}

function dataOf(sprite: Sprite, { seen, filled, why }: SpriteSight, { sprites, foreground }: SpriteCollision) {
  const { n, enabled, x, y, pointer, address } = sprite
  const { mode, size, priority } = describeSprite(sprite, true)
  return {
    sprite: n,
    enabled,
    x,
    y,
    pointer,
    address: formatAddress(address),
    mode,
    size,
    priority,
    colours: spriteColours(sprite).map(({ text }) => text),
    seen,
    pixels: filled,
    why,
    hitsSprites: sprites,
    hitsForeground: foreground,
  }
}

function cellsOf(sprite: Sprite, { seen, filled, why }: SpriteSight, collision: SpriteCollision): string[] {
  const { position, address, mode, size, priority, note } = describeSprite(sprite, true)
  const sight = why ?? (seen === filled ? 'Seen.' : `Seen: ${seen} of ${filled} pixels.`)
  const collided = collisionText(collision)
  return [
    String(sprite.n),
    position,
    address,
    `${mode} ${size}`,
    spriteColours(sprite)
      .map(({ text }) => text)
      .join(', '),
    priority,
    [sight, collided === '' ? '' : `It ${collided}.`, note].filter(Boolean).join(' '),
  ]
}
