import type { Space } from '../contract/memory'
import { screenToText, type CharacterSet } from './screenCodes'
import { decodeVideo, IO_SIZE, IO_START } from './video'

/** The VIC-II's registers below its collision registers, and CIA 2's bank: readable without side effects. */
const graphicsRegisters = [
  [0xd000, 0x1e],
  [0xdd00, 1],
] as const

export interface ScreenText {
  /** 25 of 40 characters. */
  readonly rows: readonly string[]
  /** Of screen memory. */
  readonly address: number
}

interface Range {
  readonly space: Space
  readonly address: number
  readonly length: number
}

/** The text screen that the VIC-II shows now. */
export async function readTextScreen(read: (range: Range) => Promise<Uint8Array>): Promise<ScreenText> {
  const io = new Uint8Array(IO_SIZE)
  for (const [address, length] of graphicsRegisters)
    io.set(await read({ space: 'io', address, length }), address - IO_START)
  const video = decodeVideo(io)
  const bytes = await read({ space: 'ram', address: video.screen, length: 1000 })
  // Bit 11 of the character address chooses between the ROM's two sets.
  const set: CharacterSet = video.characters & 0x0800 ? 'lower' : 'upper'
  return { rows: screenToText(bytes, set), address: video.screen }
}
