import { MACHINES_HEADING, type CommandGroup } from '../../command'
import { describeSprite, spriteColours } from '@shared/c64/spriteText'
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
  '{ sprite, enabled, x, y, pointer, address, mode, size, priority, colours, seen, pixels, why }'

/** Sprites as data, and a line for each. */
export function describeSprites({ scene, sprites }: GraphicsMemory, wanted: readonly number[]) {
  const chosen = sprites.filter(({ n }) => wanted.includes(n))
  return spriteSights(scene, chosen).map((sight, index) => {
    const sprite = chosen[index]
    return sprite ? { data: dataOf(sprite, sight), cells: cellsOf(sprite, sight) } : { data: {}, cells: [] }
  })
}

function dataOf(sprite: Sprite, { seen, filled, why }: SpriteSight) {
  const { n, enabled, x, y, pointer, address } = sprite
  const { mode, size, priority } = describeSprite(sprite, true)
  return {
    ...{ sprite: n, enabled, x, y, pointer, address: formatAddress(address), mode, size, priority },
    colours: spriteColours(sprite).map(({ text }) => text),
    ...{ seen, pixels: filled, why },
  }
}

function cellsOf(sprite: Sprite, { seen, filled, why }: SpriteSight): string[] {
  const { position, address, mode, size, priority, note } = describeSprite(sprite, true)
  const sight = why ?? (seen === filled ? 'Seen.' : `Seen: ${seen} of ${filled} pixels.`)
  return [
    String(sprite.n),
    position,
    address,
    `${mode} ${size}`,
    spriteColours(sprite)
      .map(({ text }) => text)
      .join(', '),
    priority,
    [sight, note].filter(Boolean).join(' '),
  ]
}
