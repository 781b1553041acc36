import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '@shared/contract/errors'
import type { AnimationFrame, Artwork, SpriteArt, SpriteSheet } from '@shared/graphics/artwork'
import {
  grabShown,
  sharedSpriteColours,
  spriteAddresses,
  spriteAt,
  spriteLookOf,
  type GraphicsImage,
} from '@shared/graphics/grab'
import { artworkText } from '@shared/graphics/artworkText'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { artworkData, romOfImage, writeArtworks, writeFormat, writeOptions } from '../../graphicsFiles'
import { readImage } from '../../machineGraphics'
import { filePath, machine, number, required, withDefault } from '../../parameters'
import { ARTWORK_SHAPE, graphicsGroup as group } from './group'

export const graphicsGrab = defineCommand({
  group,
  name: 'grab',
  summary: 'Save a sprite, or the screen behind the sprites, as an animation.',
  details:
    'With --sprite, each look that differs from the one before is a frame, shown for as long as the sprite stayed the same. Without --sprite, each look is one picture of the screen behind the sprites.',
  positionals: { file: required(filePath('The file to write.')) },
  options: {
    sprite: number('N', 'The sprite.', { min: 0, max: 7 }),
    looks: withDefault(number('N', 'How often to look.', { min: 1, max: 1000 }), 25),
    every: withDefault(number('MS', 'Time between two looks.', { min: 20, max: 60_000 }), 100),
    format: writeFormat('The format of the file.'),
    ...writeOptions,
    machine: machine('The machine to read from.'),
  },
  data: {
    machine: 'the machine’s name',
    artworks: `[${ARTWORK_SHAPE}]`,
    file: 'absolute path',
    format: 'id of the format',
    bytes: 'length of the file',
    notes: '[string]: what characters are drawn with',
  },
  examples: ['graphics grab walk.gif --sprite 0 --looks 3 --every 40 --scale 4', 'graphics grab title.apng --looks 2'],
  run: async ({ output, signal, openSession }, { file, sprite, looks, every, format, machine, ...choices }) => {
    const session = await openSession()
    await session.connect(machine, signal)
    const look = async (): Promise<Look> => ({
      image: await readImage(session, machine, signal),
      time: performance.now(),
    })
    const first = await look()
    const images = [first]
    while (images.length < looks) {
      await wait(every, undefined, { signal })
      images.push(await look())
    }
    const artworks = sprite === undefined ? pictures(images) : [animation(images, sprite, every)]
    const written = await writeArtworks(file, artworks, format, { ...choices, frameMs: every }, romOfImage(first.image))
    output.result({ machine, artworks: artworks.map(artworkData), ...written }, [
      `Saved ${artworks.map(artworkText).join(', ')} as ${file.written} (${written.format}).`,
      ...written.notes,
    ])
    return EXIT_OK
  },
})

interface Look {
  readonly image: GraphicsImage
  readonly time: number
}

function pictures(looks: readonly Look[]): Artwork[] {
  const shown = looks.flatMap(({ image }) => grabShown(image) ?? [])
  if (shown.length === 0) throw new AppError('NOT_FOUND', 'The VIC-II is in a mode without a picture.')
  return shown
}

function animation(looks: readonly Look[], n: number, every: number): SpriteSheet {
  const sprites: SpriteArt[] = []
  const frames: AnimationFrame[] = []
  let last = ''
  looks.forEach(({ image, time }, index) => {
    const seen = spriteAt(image, spriteAddresses(image)[n] ?? 0, spriteLookOf(image, n), true)
    const key = JSON.stringify([[...seen.bytes], seen.colour, seen.multicolour, seen.expandX, seen.expandY])
    const ms = Math.min(Math.max(1, Math.round((looks[index + 1]?.time ?? time + every) - time)), 60_000)
    const frame = frames.at(-1)
    if (key === last && frame) frames.splice(-1, 1, { ...frame, ms: Math.min(frame.ms + ms, 60_000) })
    else frames.push({ sprite: sprites.push(seen) - 1, ms })
    last = key
  })
  const [first] = looks
  const shared = first ? sharedSpriteColours(first.image) : { background: 0, multicolour1: 0, multicolour2: 0 }
  return {
    kind: 'sprites',
    name: `sprite ${n}`,
    sprites,
    ...shared,
    animations: [{ name: `sprite ${n}`, frames, isPingPong: false }],
  }
}
