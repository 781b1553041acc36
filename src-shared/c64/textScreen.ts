import type { Space } from '../contract/memory'
import { screenToText, type CharacterSet } from './screenCodes'
import { decodeVideo, IO_SIZE, IO_START } from './video'

/** Readable without side effects: the VIC-II's registers below its collision registers, and CIA 2's bank. */
const graphicsRegisters = [
  [0xd000, 0x1e],
  [0xdd00, 1],
] as const

export interface ScreenText {
  readonly rows: readonly string[]
  readonly address: number
}

interface Range {
  readonly space: Space
  readonly address: number
  readonly length: number
}

export async function readTextScreen(read: (range: Range) => Promise<Uint8Array>): Promise<ScreenText> {
  const io = new Uint8Array(IO_SIZE)
  for (const [address, length] of graphicsRegisters)
    io.set(await read({ space: 'io', address, length }), address - IO_START)
  const video = decodeVideo(io)
  const bytes = await read({ space: 'ram', address: video.screen, length: 1000 })
  const set: CharacterSet = video.characters & 0x0800 ? 'lower' : 'upper'
  return { rows: screenToText(bytes, set), address: video.screen }
}
