import { artworkText } from '@shared/graphics/artworkText'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import {
  artworkData,
  damaged,
  notesOf,
  pickOption,
  readArtworks,
  readFormat,
  romForFiles,
  writeArtworks,
  writeFormat,
  writeOptions,
} from '../../graphicsFiles'
import { convertPhotoFile, photoOptions } from '../../graphicsPhoto'
import { filePath, required } from '../../parameters'
import { ARTWORK_SHAPE, graphicsGroup as group } from './group'

export const graphicsConvert = defineCommand({
  group,
  name: 'convert',
  summary: 'Convert a graphics file into another format.',
  details:
    'With --target, any PNG, JPEG or GIF is converted within the limits of a mode; without, pictures have to be exactly on the C64’s grid. Of a damaged file, what can be loaded is written, and the call fails with what is wrong.',
  positionals: {
    file: required(filePath('The file to read.')),
    to: required(filePath('The file to write.', 'TO')),
  },
  options: {
    from: readFormat('The format of FILE. Default: detected.'),
    pick: pickOption(),
    format: writeFormat('The format to write.'),
    ...photoOptions,
    ...writeOptions,
  },
  data: {
    from: 'id of the format that was read; photo with --target',
    notes:
      '[string]: what of the file is not loaded as it is, what the limits of the mode cost, and what characters are drawn with',
    artworks: `[${ARTWORK_SHAPE}]`,
    file: 'absolute path',
    format: 'id of the format',
    bytes: 'length of the file',
  },
  examples: [
    'graphics convert ship.png ship.gif',
    'graphics convert ship.png ship.asm --format acme',
    'graphics convert ship.png ship.spm --pick 1',
    'graphics convert ship.png ship.koa --target multicolour-bitmap --dither bayer4',
  ],
  run: async ({ output, signal, openSession }, { file, to, from, pick, format, target, ...choices }) => {
    const readRom = romForFiles(openSession, signal)
    if (target !== undefined) {
      const { artwork, notes } = await convertPhotoFile(file, target, choices)
      const written = await writeArtworks(to, [artwork], format, choices, readRom)
      output.result(
        { from: 'photo', artworks: [artworkData(artwork)], ...written, notes: [...notes, ...written.notes] },
        [`Wrote ${artworkText(artwork)} as ${to.written} (${written.format}).`, ...notes].join('\n'),
      )
      return EXIT_OK
    }
    const read = await readArtworks(file, from, pick, choices.palette)
    const written = await writeArtworks(to, read.artworks, format, choices, readRom)
    if (read.problems.length > 0) throw damaged(file, read.format, read)
    const notes = [...notesOf(read), ...written.notes]
    output.result({ from: read.format.id, artworks: read.artworks.map(artworkData), ...written, notes }, [
      `Wrote ${read.artworks.map(artworkText).join(', ')} as ${to.written} (${written.format}).`,
      ...notes,
    ])
    return EXIT_OK
  },
})
