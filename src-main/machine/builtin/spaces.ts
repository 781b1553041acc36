/** Reads without side effects, writes as the CPU or a monitor would. */
import { AppError } from '@shared/contract/errors'
import { spaceWritten } from '@shared/c64/banking'
import type { Segment } from '@shared/contract/frames'
import type { Space } from '@shared/contract/memory'
import { checkEnd, romIsReadOnly } from '../refusals'
import type { C64 } from './c64'

const IO_START = 0xd000
const IO_SIZE = 0x1000
const COLOR_RAM_START = 0xd800
const COLOR_RAM_SIZE = 0x400

const romRanges = [
  [0xa000, 0xc000],
  [0xd000, 0xe000],
  [0xe000, 0x10000],
] as const

export function segmentOf(c64: C64, space: Space): Segment {
  if (space === 'io') return { space, address: IO_START, bytes: c64.peekIo() }
  if (space === 'colorRam') return { space, address: COLOR_RAM_START, bytes: c64.colorRam.slice() }
  return { space, address: 0, bytes: imageOf(c64, space) }
}

/** @throws AppError INVALID for what the space does not hold */
export function readSpace(c64: C64, space: Space, address: number, length: number): Uint8Array {
  checkRange(space, address, length)
  return imageOf(c64, space).slice(address, address + length)
}

/** @throws AppError INVALID for what the space does not hold, UNSUPPORTED for ROM */
export function writeSpace(c64: C64, space: Space, address: number, bytes: Uint8Array): void {
  checkRange(space, address, bytes.length)
  const { space: memory } = c64
  for (const [index, byte] of bytes.entries()) {
    const at = address + index
    if (space === 'rom') throw romIsReadOnly()
    const isChip = space === 'io' || space === 'colorRam' || (space === 'cpu' && spaceWritten(memory.pins, at) === 'io')
    if (isChip) c64.writeIo(at, byte)
    // No RAM is visible under the port at $00/$01.
    else if (at === 0 || at === 1) memory.setPort(at, byte)
    else memory.setRam(at, byte, 'write')
  }
}

function imageOf(c64: C64, space: Space): Uint8Array<ArrayBuffer> {
  const { space: memory, colorRam } = c64
  if (space === 'cpu') return c64.peekCpu()
  const image = memory.ramImage()
  if (space === 'rom') for (const [start, end] of romRanges) image.set(memory.rom.subarray(start, end), start)
  if (space === 'io') image.set(c64.peekIo(), IO_START)
  if (space === 'colorRam') image.set(colorRam, COLOR_RAM_START)
  return image
}

function checkRange(space: Space, address: number, length: number): void {
  const end = address + length
  checkEnd(end)
  if (space === 'io' && (address < IO_START || end > IO_START + IO_SIZE))
    throw new AppError('INVALID', 'The I/O registers are at $D000 to $DFFF.')
  if (space === 'colorRam' && (address < COLOR_RAM_START || end > COLOR_RAM_START + COLOR_RAM_SIZE)) {
    throw new AppError('INVALID', 'Colour RAM is at $D800 to $DBFF.')
  }
}
