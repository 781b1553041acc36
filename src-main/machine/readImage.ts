import type { AddressSpan } from '@shared/c64/differingRanges'
import type { Image } from '@shared/c64/memoryImage'
import { toFailure } from '@shared/contract/errors'
import { requireFacet, type Machine, type MemoryRange } from './machine'
import { withoutSideEffects } from './readPlan'

const RESUME_DEADLINE_MS = 5_000

interface Reading {
  readonly machine: Machine
  readonly signal: AbortSignal
}

export const ramOrCpu = ({ unsupported }: Pick<Machine, 'unsupported'>): 'ram' | 'cpu' =>
  unsupported.ramUnderRom === undefined ? 'ram' : 'cpu'

export async function standingStill<T>(
  { machine, signal }: Reading,
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

export async function readImage(machine: Machine, range: MemoryRange, signal: AbortSignal): Promise<Image> {
  try {
    return { bytes: await machine.readMemory(range, signal), skipped: [] }
  } catch (error) {
    if (toFailure(error).code !== 'FORBIDDEN') throw error
  }
  const bytes = new Uint8Array(range.length)
  const skipped: AddressSpan[] = []
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
