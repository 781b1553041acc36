import { z } from 'zod'
import { defineOperation } from '../operation'
import { address, byteCount, fitsMemory, pastTheEnd, reportAddress, space } from './arguments'
import { hexOf } from './memory'

/** The limit of c64bridge; `extract_ram` writes a longer range to a file. */
const MAX_BYTES = 4096

export const read = defineOperation({
  name: 'read',
  title: 'Read memory',
  does: 'Reads a few bytes of memory into the result, as hexadecimal.',
  needs: ['readMemory'],
  writes: false,
  arguments: z
    .strictObject({
      address: address('The first byte: $0400, 0x0400, 1024 or a label.').prefault('$0400'),
      length: byteCount(MAX_BYTES, `Bytes, 1 to ${MAX_BYTES}.`).prefault(16),
      space: space(),
    })
    .refine(fitsMemory, pastTheEnd),
  run: async ({ machine, signal }, { address, length, space }) => {
    const bytes = await machine.readMemory({ space, address, length }, signal)
    const found = { address: reportAddress(address), bytes: hexOf(bytes) }
    return { summary: { address: found.address, length, space, bytes: found.bytes }, value: found }
  },
})
