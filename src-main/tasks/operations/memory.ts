/** What operations have in common that read and write memory. */
import { createHash } from 'node:crypto'
import { formatAddress, formatByte } from '@shared/c64/address'
import { AppError, toFailure } from '@shared/contract/errors'
import type { Space } from '@shared/contract/memory'
import { requireFacet, type Machine, type MemoryRange } from '../../machine/machine'
import { withoutSideEffects } from '../../machine/readPlan'
import type { OperationContext } from '../operation'
import type { AddressRange } from './arguments'

/** How long a machine may take to go on, ms. */
const RESUME_DEADLINE_MS = 5_000

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** SHA-256 in capitals, as c64bridge writes it. */
export const checksumOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').toUpperCase()

/** All RAM where the machine reaches it, and elsewhere what the CPU sees. */
export const ramOrCpu = ({ unsupported }: Machine): 'ram' | 'cpu' =>
  unsupported.ramUnderRom === undefined ? 'ram' : 'cpu'

/**
 * Does what reads the machine while it stands still, if it runs and can be paused. It goes on afterwards, also when the
 * task was stopped meanwhile.
 */
export async function standingStill<T>(
  { machine, signal }: OperationContext,
  wanted: boolean,
  work: () => Promise<T>,
): Promise<T> {
  if (!wanted || machine.unsupported.pause !== undefined || machine.status.execution !== 'running') return work()
  const execution = requireFacet(machine, 'pause')
  try {
    await execution.pause(signal)
    return await work()
  } finally {
    await execution.resume(AbortSignal.timeout(RESUME_DEADLINE_MS))
  }
}

export interface Image {
  readonly bytes: Uint8Array
  /** What was not read, as reading it would have changed the machine; 0 in `bytes`. */
  readonly skipped: readonly AddressRange[]
}

/** Reads a range, on real machines without the registers whose read has a side effect. */
export async function readImage(machine: Machine, range: MemoryRange, signal: AbortSignal): Promise<Image> {
  try {
    return { bytes: await machine.readMemory(range, signal), skipped: [] }
  } catch (error) {
    if (toFailure(error).code !== 'FORBIDDEN') throw error
  }
  const bytes = new Uint8Array(range.length)
  const skipped: AddressRange[] = []
  let end = range.address
  const skipTo = (address: number) => {
    if (end < address) skipped.push({ address: end, length: address - end })
  }
  for (const piece of withoutSideEffects([range])) {
    skipTo(piece.address)
    bytes.set(await machine.readMemory(piece, signal), piece.address - range.address)
    end = piece.address + piece.length
  }
  skipTo(range.address + range.length)
  return { bytes, skipped }
}

/** Reads back what was written. @throws AppError CONFLICT that names the first byte that differs */
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
