import { z } from 'zod'
import { AppError } from '@shared/contract/errors'
import { formatAddress, formatByte } from '@shared/c64/address'
import { standingStill } from '../../machine/readImage'
import { defineOperation } from '../operation'
import { address, fitsMemory, flag, hexBytes, reportAddress, space } from './arguments'
import { verifyWritten } from './memory'

export const write = defineOperation({
  name: 'write',
  title: 'Write memory',
  does: 'Writes bytes to memory and reads them back. Can require that certain bytes are there before.',
  needs: ['writeMemory'],
  writes: true,
  arguments: z
    .strictObject({
      address: address('Where the first byte goes: $C000, 0xC000, 49152 or a label.'),
      bytes: hexBytes('The bytes in hexadecimal: A9 00 8D 20 D0.'),
      space: space(),
      verify: flag(false, 'Read the bytes back, and fail where something else is found.'),
      expected: hexBytes('Bytes that must be there before, in hexadecimal.').optional(),
      mask: hexBytes('The bits of each expected byte that count, in hexadecimal. Left out: all.').optional(),
      abortOnMismatch: flag(true, 'Write nothing when the expected bytes are not there.'),
    })
    .refine(({ address, bytes }) => fitsMemory({ address, length: bytes.length }), {
      error: 'they go past $FFFF',
      path: ['bytes'],
    })
    .refine(({ address, expected }) => fitsMemory({ address, length: expected?.length ?? 0 }), {
      error: 'they go past $FFFF',
      path: ['expected'],
    }),
  run: async (context, { address, bytes, space, verify, expected, mask, abortOnMismatch }) => {
    const { machine, signal } = context
    const mismatches = await standingStill(context, verify || expected !== undefined, async () => {
      const before = expected
        ? await machine.readMemory({ space, address, length: expected.length }, signal)
        : Uint8Array.of()
      const wrong = [...(expected ?? [])].flatMap((byte, at) => {
        const found = before[at] ?? 0
        return ((byte ^ found) & (mask?.[at] ?? 0xff)) === 0 ? [] : [{ at: address + at, byte, found }]
      })
      const [first] = wrong
      if (first && abortOnMismatch) {
        throw new AppError(
          'CONFLICT',
          `Nothing was written: ${formatAddress(first.at)} holds ${formatByte(first.found)}, and ${formatByte(first.byte)} was expected there.`,
        )
      }
      await machine.writeMemory(space, address, bytes, signal)
      if (verify) await verifyWritten(context, space, address, bytes)
      return wrong.map(({ at }) => reportAddress(at))
    })
    return {
      summary: {
        address: reportAddress(address),
        written: bytes.length,
        space,
        verified: verify,
        ...(expected ? { mismatches } : {}),
      },
    }
  },
})
