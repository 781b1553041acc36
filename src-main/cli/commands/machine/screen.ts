import { formatAddress } from '@shared/c64/address'
import { screenToText, type CharacterSet } from '@shared/c64/screenCodes'
import { decodeVideo, IO_SIZE, IO_START } from '@shared/c64/video'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { filePath, machine } from '../../parameters'
import { savePicture } from '../../picture'
import type { Session } from '../../session'
import { machineGroup as group } from './group'

export const machineScreen = defineCommand({
  group,
  name: 'screen',
  summary: 'Show the text screen, or save the screen as PNG.',
  options: {
    png: filePath('The PNG file to write.'),
    machine: machine('The machine to read.'),
  },
  data: {
    machine: 'the machine’s name',
    'address?': 'of the text screen',
    'rows?': '25 texts',
    'png?': 'absolute path',
    'width?': 'pixels',
    'height?': 'pixels',
  },
  examples: ['screen', 'screen --png screen.png'],
  run: async ({ output, signal, openSession }, { machine, png }) => {
    const session = await openSession()
    await session.connect(machine, signal)
    if (png) {
      const { width, height } = await savePicture(session, machine, png, signal)
      output.result({ machine, png: png.path, width, height }, `Saved the screen as ${png.written}.`)
      return EXIT_OK
    }
    const { text, address } = await readScreen(session, machine, signal)
    output.result({ machine, address: formatAddress(address), rows: text }, text.map((row) => row.trimEnd()).join('\n'))
    return EXIT_OK
  },
})

/** The VIC-II's registers below its collision registers, and CIA 2's bank: readable without side effects. */
const graphicsRegisters = [
  [0xd000, 0x1e],
  [0xdd00, 1],
] as const

/** The text screen that the VIC-II currently shows. */
async function readScreen(
  { client }: Session,
  machine: string,
  signal: AbortSignal,
): Promise<{ text: string[]; address: number }> {
  const io = new Uint8Array(IO_SIZE)
  for (const [address, length] of graphicsRegisters) {
    const { bytes } = await client.call('memory.read', { machine, space: 'io', address, length }, signal)
    io.set(bytes, address - IO_START)
  }
  const video = decodeVideo(io)
  const { bytes } = await client.call(
    'memory.read',
    { machine, space: 'ram', address: video.screen, length: 1000 },
    signal,
  )
  // Bit 11 of the character address chooses between the ROM's two sets.
  const set: CharacterSet = video.characters & 0x0800 ? 'lower' : 'upper'
  return { text: screenToText(bytes, set), address: video.screen }
}
