import type { AddressRange } from '@shared/c64/address'
import { chips, hasSideEffect, type ChipId } from '@shared/c64/chips'
import { IO_SIZE, IO_START } from '@shared/c64/video'
import type { Session } from './session'

export const videoRegisters: readonly AddressRange[] = [
  ...readable(chips.vic.start, 0x40),
  ...readable(chips.cia2.start, 1),
]

/** Not port B of a CIA: reading it pulses the chip's PC line. */
export const registersOf = (chip: ChipId): readonly AddressRange[] =>
  readable(chips[chip].start, chips[chip].every).flatMap(({ start, end }) =>
    chip.startsWith('cia') && start === chips[chip].start
      ? [
          { start, end: start + 1 },
          { start: start + 2, end },
        ]
      : [{ start, end }],
  )

function readable(start: number, length: number): AddressRange[] {
  const ranges: AddressRange[] = []
  for (let address = start; address < start + length; address++) {
    if (hasSideEffect(address)) continue
    const last = ranges.at(-1)
    if (last?.end === address) ranges.splice(-1, 1, { start: last.start, end: address + 1 })
    else ranges.push({ start: address, end: address + 1 })
  }
  return ranges
}

/** An image of 4096 bytes from $D000, 0 where nothing was read. */
export async function readChipRegisters(
  { client }: Session,
  { machine, ranges }: { readonly machine: string; readonly ranges: readonly AddressRange[] },
  signal: AbortSignal,
): Promise<Uint8Array> {
  const io = new Uint8Array(IO_SIZE)
  for (const { start, end } of ranges) {
    const range = { machine, space: 'io' as const, address: start, length: end - start }
    io.set((await client.call('memory.read', range, signal)).bytes, start - IO_START)
  }
  return io
}
