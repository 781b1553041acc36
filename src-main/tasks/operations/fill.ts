import { z } from 'zod'
import { standingStill } from '../../machine/readImage'
import { defineOperation } from '../operation'
import { address, byteCount, fitsMemory, flag, hexBytes, pastTheEnd, reportAddress, space } from './arguments'
import { verifyWritten } from './memory'

export const fill = defineOperation({
  name: 'fill',
  title: 'Fill memory',
  does: 'Fills a range of memory with a byte, or with a repeated sequence of bytes.',
  needs: ['writeMemory'],
  writes: true,
  arguments: z
    .strictObject({
      address: address('The first byte: $2000, 0x2000, 8192 or a label.'),
      length: byteCount(0x10000, 'Bytes to fill.'),
      bytes: hexBytes('What to fill it with, in hexadecimal; repeated to the end of the range.').prefault('00'),
      space: space(),
      verify: flag(false, 'Read the range back, and fail where something else is found.'),
    })
    .refine(fitsMemory, pastTheEnd),
  run: async (context, { address, length, bytes, space, verify }) => {
    const filling = Uint8Array.from({ length }, (_, index) => bytes[index % bytes.length] ?? 0)
    await standingStill(context, verify, async () => {
      await context.machine.writeMemory(space, address, filling, context.signal)
      if (verify) await verifyWritten(context, space, address, filling)
    })
    return { summary: { address: reportAddress(address), written: length, space, verified: verify } }
  },
})
