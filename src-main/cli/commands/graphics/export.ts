import { artworkText } from '@shared/graphics/artworkText'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { artworkData, romOfImage, writeArtworks, writeFormat, writeOptions } from '../../graphicsFiles'
import { artworkIn, readImage, subjects } from '../../machineGraphics'
import { choice, filePath, flag, machine, number, required, withDefault } from '../../parameters'
import { place, resolvePlace } from '../../place'
import { ARTWORK_SHAPE, graphicsGroup as group } from './group'

export const graphicsExport = defineCommand({
  group,
  name: 'export',
  summary: 'Save sprites, characters, a screen or a bitmap of a machine as a file.',
  details: 'The format follows the ending of FILE, or --format where several formats have it.',
  positionals: { file: required(filePath('The file to write.')) },
  options: {
    what: withDefault(choice('WHAT', 'What to save.', subjects), 'shown'),
    at: place('Where its data is. Default: where the VIC-II has it.'),
    count: withDefault(number('N', 'How many sprites, with --at.', { min: 1, max: 1024 }), 8),
    multicolour: flag('Sprites are multicolour, with --at.'),
    format: writeFormat('The format of the file.'),
    ...writeOptions,
    machine: machine('The machine to read from.'),
  },
  data: {
    machine: 'the machine’s name',
    artwork: ARTWORK_SHAPE,
    file: 'absolute path',
    format: 'id of the format',
    bytes: 'length of the file',
    notes: '[string]: what characters are drawn with',
  },
  examples: [
    'graphics export title.png --scale 2',
    "graphics export ship.asm --what sprites --at '$2000' --count 4 --format kickass --numbers binary",
    'graphics export show.prg --what characters --format viewer',
  ],
  run: async ({ output, signal, openSession }, { file, what, at, count, multicolour, format, machine, ...choices }) => {
    const start = at && (await resolvePlace(openSession, machine, at, signal)).start
    const session = await openSession()
    await session.connect(machine, signal)
    const image = await readImage(session, machine, signal)
    const artwork = artworkIn(image, { what, count, multicolour, at: start })
    const written = await writeArtworks(file, [artwork], format, choices, romOfImage(image))
    output.result({ machine, artwork: artworkData(artwork), ...written }, [
      `Saved ${artworkText(artwork)} as ${file.written} (${written.format}).`,
      ...written.notes,
    ])
    return EXIT_OK
  },
})
