import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import {
  artworkData,
  artworkText,
  damaged,
  readArtworks,
  readFormat,
  writeArtworks,
  writeFormat,
  writeOptions,
} from '../../graphicsFiles'
import { filePath, required } from '../../parameters'
import { ARTWORK_SHAPE, graphicsGroup as group } from './group'

export const graphicsConvert = defineCommand({
  group,
  name: 'convert',
  summary: 'Turn a file of graphics into another format.',
  details:
    'Pictures have to be exactly on the C64’s grid. Of a damaged file, what can be loaded is written, and the call fails with what is wrong.',
  positionals: {
    file: required(filePath('The file to read.')),
    to: required(filePath('The file to write.')),
  },
  options: {
    from: readFormat('The format of FILE; without it, that is found out.'),
    format: writeFormat('The format to write.'),
    ...writeOptions,
  },
  data: {
    from: 'id of the format that was read',
    artworks: `[${ARTWORK_SHAPE}]`,
    ...{ file: 'absolute path', format: 'id of the format', bytes: 'length of the file' },
  },
  examples: ['graphics convert ship.png ship.gif', 'graphics convert ship.png ship.asm --format acme'],
  run: async ({ output }, { file, to, from, format, ...choices }) => {
    const read = await readArtworks(file, from)
    const written = await writeArtworks(to, read.artworks, format, choices)
    if (read.problems.length > 0) throw damaged(file, read.format, read)
    output.result(
      { from: read.format.id, artworks: read.artworks.map(artworkData), ...written },
      `Wrote ${read.artworks.map(artworkText).join(', ')} as ${to.written} (${written.format}).`,
    )
    return EXIT_OK
  },
})
