import { formatAddress } from '@shared/c64/address'
import { CHARSET_SIDE, charsetPixels } from '@shared/c64/charsetPixels'
import { decodeVideo, isCharacterRom } from '@shared/c64/video'
import { pixelsPng } from '../../../files/png'
import { defineCommand } from '../../command'
import { enlarged } from '../../enlarged'
import { EXIT_OK } from '../../exitCodes'
import { charactersNotShown, readGraphics } from '../../graphicsMemory'
import { filePath, machine, required } from '../../parameters'
import { place, resolvePlace } from '../../place'
import { saveFile } from '../../saveFile'
import { machineGroup as group } from './group'

const CHARSET_BYTES = 0x800
const TIMES = 3
const inkOnPaper = [0x000000, 0xffffff]

export const machineCharset = defineCommand({
  group,
  name: 'charset',
  summary: 'Save a character set as PNG, 16 characters per row.',
  options: {
    png: required(filePath('The PNG file to write.')),
    at: place('Where it is. Default: the one that the VIC-II shows.'),
    machine: machine('The machine to read from.'),
  },
  data: {
    machine: 'the machine’s name',
    png: 'absolute path',
    address: 'such as $1000',
    width: 'pixels',
    height: 'pixels',
  },
  examples: ['charset --png characters.png', "charset --png own.png --at '$3000'"],
  run: async ({ output, signal, openSession }, { png, at, machine }) => {
    const wanted = at && (await resolvePlace(openSession, machine, at, signal)).start
    const session = await openSession()
    await session.connect(machine, signal)
    const { scene, io, hasRom } = await readGraphics(session, machine, signal)
    const address = wanted ?? decodeVideo(io).characters
    const isRom = wanted === undefined && isCharacterRom(address)
    if (isRom && !hasRom) throw charactersNotShown()
    const from = isRom ? address & 0x0fff : address
    const bytes = new Uint8Array(CHARSET_BYTES)
    bytes.set((isRom ? scene.characterRom : scene.ram).subarray(from, from + CHARSET_BYTES))
    const { pixels, width } = enlarged(charsetPixels(bytes), CHARSET_SIDE, TIMES)
    await saveFile(png, pixelsPng(pixels, width, inkOnPaper))
    output.result({ machine, png: png.path, address: formatAddress(address), width, height: pixels.length / width }, [
      `Saved the characters at ${formatAddress(address)} as ${png.written}.`,
    ])
    return EXIT_OK
  },
})
