import { palettes } from '@shared/c64/palettes'
import { SPRITE_HEIGHT, SPRITE_WIDTH, spritePixels, type Sprite } from '@shared/c64/sprites'
import { pixelsPng } from '../../../files/png'
import { defineCommand } from '../../command'
import { enlarged } from '../../enlarged'
import { EXIT_OK } from '../../exitCodes'
import { readGraphics } from '../../graphicsMemory'
import { filePath, flag, machine, number, required, withDefault } from '../../parameters'
import { place, resolvePlace } from '../../place'
import { saveFile } from '../../saveFile'
import { spriteGroup as group } from './group'

const BLOCK = 64
const COLUMNS = 8
const TIMES = 4
const GAP = 1
const CELL_WIDTH = SPRITE_WIDTH + GAP
const CELL_HEIGHT = SPRITE_HEIGHT + GAP
const BLACK_ON_WHITE = { multicolour: false, colour: 0, multicolour1: 11, multicolour2: 12 }
const PAPER = 1

export const spritePicture = defineCommand({
  group,
  name: 'picture',
  summary: 'Save the eight sprites, or sprites anywhere in memory, as PNG.',
  options: {
    png: required(filePath('The PNG file to write.')),
    at: place('The first of them, 64 bytes each; without it, the eight sprites that the VIC-II shows.'),
    count: withDefault(number('N', 'How many, with --at.', { min: 1, max: 256 }), 8),
    multicolour: flag('Two bits a pixel, with --at.'),
    machine: machine('The machine to read from.'),
  },
  data: { machine: 'the machine’s name', png: 'absolute path', sprites: 'how many', width: 'pixels', height: 'pixels' },
  examples: ['sprite picture --png sprites.png', "sprite picture --png found.png --at '$2000' --count 16"],
  run: async ({ output, signal, openSession }, { png, at, count, multicolour, machine }) => {
    const start = at && (await resolvePlace(openSession, machine, at, signal)).start
    const session = await openSession()
    await session.connect(machine, signal)
    const { sprites, scene } = await readGraphics(session, machine, signal)
    const shown: Pick<Sprite, 'pixels'>[] =
      start === undefined
        ? [...sprites]
        : Array.from({ length: Math.min(count, Math.ceil((0x10000 - start) / BLOCK)) }, (_, index) => {
            const from = start + index * BLOCK
            return { pixels: spritePixels(scene.ram.subarray(from, from + 63), { ...BLACK_ON_WHITE, multicolour }) }
          })
    const { pixels, width } = sheetOf(shown)
    await saveFile(png, pixelsPng(pixels, width, palettes.pepto))
    const size = { width, height: pixels.length / width }
    output.result(
      { machine, png: png.path, sprites: shown.length, ...size },
      `Saved ${shown.length} sprites as ${png.written}, ${COLUMNS} a row.`,
    )
    return EXIT_OK
  },
})

function sheetOf(sprites: readonly Pick<Sprite, 'pixels'>[]): { pixels: Uint8Array; width: number } {
  const columns = Math.min(COLUMNS, sprites.length)
  const width = columns * CELL_WIDTH + GAP
  const sheet = new Uint8Array(width * (Math.ceil(sprites.length / columns) * CELL_HEIGHT + GAP)).fill(15)
  sprites.forEach(({ pixels }, index) => {
    const left = (index % columns) * CELL_WIDTH + GAP
    const top = Math.floor(index / columns) * CELL_HEIGHT + GAP
    pixels.forEach((pixel, at) => {
      const [x, y] = [at % SPRITE_WIDTH, Math.floor(at / SPRITE_WIDTH)]
      sheet[(top + y) * width + left + x] = pixel < 16 ? pixel : PAPER
    })
  })
  return enlarged(sheet, width, TIMES)
}
