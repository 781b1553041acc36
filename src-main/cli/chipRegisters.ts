import { chips, type ChipId } from '@shared/c64/chips'
import { IO_SIZE, IO_START } from '@shared/c64/video'
import type { Session } from './session'

/** From a chip's start, both ends included, without what reading changes: collisions, interrupts, clocks. */
const registersRead: Readonly<Record<ChipId, readonly (readonly [first: number, last: number])[]>> = {
  vic: [
    [0x00, 0x1d],
    [0x20, 0x3f],
  ],
  sid: [[0x00, 0x1c]],
  cia1: [
    [0x00, 0x07],
    [0x0e, 0x0f],
  ],
  cia2: [
    [0x00, 0x07],
    [0x0e, 0x0f],
  ],
}

/** The chips' registers as an image of 4096 bytes from $D000, 0 where nothing was read. */
export async function readChipRegisters(
  { client }: Session,
  { machine, read }: { readonly machine: string; readonly read: readonly ChipId[] },
  signal: AbortSignal,
): Promise<Uint8Array> {
  const io = new Uint8Array(IO_SIZE)
  for (const id of new Set(read)) {
    for (const [first, last] of registersRead[id]) {
      const address = chips[id].start + first
      const { bytes } = await client.call(
        'memory.read',
        { machine, space: 'io', address, length: last - first + 1 },
        signal,
      )
      io.set(bytes, address - IO_START)
    }
  }
  return io
}
