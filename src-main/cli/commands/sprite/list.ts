import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { readGraphics, type GraphicsMemory } from '../../graphicsMemory'
import { machine } from '../../parameters'
import { table } from '../../printed'
import { describeSprites, SPRITE_SHAPE, spriteGroup as group } from './group'

function offText(sprites: GraphicsMemory['sprites']): string {
  const off = sprites.filter(({ enabled }) => !enabled).map(({ n }) => n)
  return off.length === 0 ? '' : off.length === sprites.length ? 'All sprites are off.' : `Off: ${off.join(', ')}.`
}

const ALL = [0, 1, 2, 3, 4, 5, 6, 7]

export const spriteList = defineCommand({
  group,
  name: 'list',
  summary: 'Describe the eight sprites: why one is not visible, and what it collides with.',
  details:
    'The answer holds for the registers as they stand now. A program that changes them while the picture is drawn can show more: sprites in the border, or more than eight; `frame` finds those. Collisions are computed from the pixels of that memory: $D01E and $D01F are not read, as reading clears them.',
  options: { machine: machine('The machine to read from.') },
  data: { machine: 'the machine’s name', sprites: `[${SPRITE_SHAPE}]; seen, pixels: counts`, notes: 'texts' },
  examples: ['sprite list'],
  run: async ({ output, signal, openSession }, { machine }) => {
    const session = await openSession()
    await session.connect(machine, signal)
    const graphics = await readGraphics(session, machine, signal)
    const described = describeSprites(graphics, ALL)
    output.result({ machine, sprites: described.map(({ data }) => data), notes: graphics.notes }, [
      table(described.filter((_, n) => graphics.sprites[n]?.enabled).map(({ cells }) => cells)),
      offText(graphics.sprites),
      ...graphics.notes,
    ])
    return EXIT_OK
  },
})
