import { createHash } from 'node:crypto'
import { formatAddress, formatByte } from '@shared/c64/address'
import { AppError } from '@shared/contract/errors'
import type { Space } from '@shared/contract/memory'
import type { OperationContext } from '../operation'

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** SHA-256 in capitals, as c64bridge writes it. */
export const checksumOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').toUpperCase()

/** @throws AppError CONFLICT that names the first byte that differs */
export async function verifyWritten(
  { machine, signal }: OperationContext,
  space: Space,
  address: number,
  bytes: Uint8Array,
): Promise<void> {
  const found = await machine.readMemory({ space, address, length: bytes.length }, signal)
  const at = bytes.findIndex((byte, index) => byte !== found[index])
  if (at < 0) return
  const [written = 0, read = 0] = [bytes[at], found[at]]
  throw new AppError(
    'CONFLICT',
    `${formatAddress(address + at)} holds ${formatByte(read)} after ${formatByte(written)} was written to it.`,
    {
      hint: 'ROM and chip registers do not give back what was written; a program may have changed it since. Try the space ram, or pause the machine.',
    },
  )
}
