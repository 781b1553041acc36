import { formatAddress } from '@shared/c64/address'
import { videoModeTitles } from '@shared/c64/video'
import { counted } from '@shared/countedText'
import type { Artwork } from '@shared/graphics/artwork'
import { artworkText } from '@shared/graphics/artworkText'
import { changesFor } from '@shared/graphics/memoryChanges'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { artworkData, damaged, notesOf, paletteOption, pickOption, readArtworks, readFormat } from '../../graphicsFiles'
import { readImage } from '../../machineGraphics'
import { filePath, machine, required } from '../../parameters'
import { place, resolvePlace } from '../../place'
import { ARTWORK_SHAPE, graphicsGroup as group } from './group'

export const graphicsImport = defineCommand({
  group,
  name: 'import',
  summary: 'Load graphics from a file into a machine’s memory, and show them.',
  details:
    'Without --at, sprites go to the data of the first eight sprites, characters and screens to where the VIC-II has them, and a bitmap to $2000 of its bank; colours and modes are set too. With --at, only the data is written there. From a damaged file, what can be loaded is written, and the call fails with what is wrong. From a file with several pictures, the first is taken, or that of --pick.',
  positionals: { file: required(filePath('The file to read.')) },
  options: {
    at: place('Where its data goes.'),
    from: readFormat('The format of the file. Default: detected.'),
    pick: pickOption(),
    palette: paletteOption,
    machine: machine('The machine to write to.'),
  },
  data: {
    machine: 'the machine’s name',
    format: 'id of the format',
    artwork: ARTWORK_SHAPE,
    written: '[{ space, address, bytes }]',
    notes: '[string]: what of the file is not loaded as it is',
  },
  examples: ["graphics import ship.png --at '$2000'"],
  run: async ({ output, signal, openSession }, { file, at, from, pick, palette, machine }) => {
    const read = await readArtworks(file, from, pick, palette)
    const { format, artworks } = read
    const notes = notesOf(read)
    const start = at && (await resolvePlace(openSession, machine, at, signal)).start
    const session = await openSession()
    await session.connect(machine, signal)
    const written = []
    const [artwork] = artworks
    if (artwork) {
      const changes = changesFor(artwork, await readImage(session, machine, signal), start)
      for (const { space, address, bytes } of changes) {
        await session.client.call('memory.write', { machine, space, address, bytes: Uint8Array.from(bytes) }, signal)
        written.push({ space, address: formatAddress(address), bytes: bytes.length })
      }
    }
    if (read.problems.length > 0) throw damaged(file, format, read)
    output.result({ machine, format: format.id, artwork: artwork ? artworkData(artwork) : {}, written, notes }, [
      `Put ${artwork ? artworkText(artwork) : 'nothing'} of ${file.written} into ${machine}${placesText(written)}.`,
      ...(artwork && start === undefined ? [shownAs(artwork)] : []),
      ...notes,
    ])
    return EXIT_OK
  },
})

interface Written {
  readonly space: string
  readonly address: string
  readonly bytes: number
}

const placesText = (written: readonly Written[]): string => {
  const places = written
    .filter(({ space }) => space !== 'io')
    .map(({ space, address, bytes }) => `${space === 'colorRam' ? 'colour RAM' : address} (${counted(bytes, 'byte')})`)
  return places.length === 0 ? '' : `: ${places.join(', ')}`
}

function shownAs(artwork: Artwork): string {
  switch (artwork.kind) {
    case 'sprites':
      return 'The sprites are on.'
    case 'characters':
      return 'The VIC-II takes its characters from there.'
    case 'screen':
    case 'bitmap':
      return `The VIC-II’s mode is ${videoModeTitles[artwork.mode]}.`
  }
}
