import { pinsOf, spaceWritten } from '@shared/c64/banking'
import { AppError } from '@shared/contract/errors'
import { commandTable } from '@shared/contract/contract'
import { isDriveSpace, type MemorySpace, type Space } from '@shared/contract/memory'
import { counted } from '@shared/countedText'
import type { PastPoint } from '../machine/facets'
import { requireFacet, type Machine } from '../machine/machine'
import { ramOrCpu } from '../machine/readImage'
import { writeDiffering } from '../machine/writeDiffering'

export interface Before {
  readonly space: Space
  readonly address: number
  readonly bytes: Uint8Array
}

/**
 * Empty for a drive's memory, which is not kept.
 * @throws AppError where it cannot be read without a side effect
 */
export async function readWritten(machine: Machine, input: unknown, signal: AbortSignal): Promise<Before[]> {
  const write = commandTable['memory.write'].input.safeParse(input).data
  const runs = write ? [write] : (commandTable['memory.writeRuns'].input.safeParse(input).data?.runs ?? [])
  const before: Before[] = []
  for (const run of runs) before.push(...(await readReplaced(machine, run, signal)))
  return before
}

interface Written {
  readonly space: MemorySpace
  readonly address: number
  readonly bytes: Uint8Array
}

async function readReplaced(
  machine: Machine,
  { space, address, bytes }: Written,
  signal: AbortSignal,
): Promise<Before[]> {
  if (isDriveSpace(space)) throw new AppError('UNSUPPORTED', 'The memory of a drive is not kept.')
  const ranges =
    space === 'cpu'
      ? await writtenRanges(machine, address, bytes.length, signal)
      : [{ space, address, length: bytes.length }]
  const before: Before[] = []
  for (const range of ranges) before.push({ ...range, bytes: await machine.readMemory(range, signal) })
  return before
}

interface WrittenRange {
  readonly space: Space
  readonly address: number
  readonly length: number
}

/** Where a write of the CPU arrives: in RAM under a ROM, or in a chip. */
async function writtenRanges(
  machine: Machine,
  address: number,
  length: number,
  signal: AbortSignal,
): Promise<WrittenRange[]> {
  const ram = ramOrCpu(machine)
  if (ram === 'cpu') return [{ space: 'cpu', address, length }]
  const pins = machine.registers ? (pinsOf(await machine.registers.read(signal)) ?? 7) : 7
  const ranges: { space: Space; address: number; length: number }[] = []
  for (let at = address; at < address + length; at++) {
    const space: MemorySpace = spaceWritten(pins, at)
    const last = ranges.at(-1)
    if (last?.space === space) last.length++
    else ranges.push({ space, address: at, length: 1 })
  }
  return ranges
}

export async function readRam(machine: Machine, signal: AbortSignal): Promise<Before> {
  const range = { space: ramOrCpu(machine), address: 0, length: 0x10000 }
  return { space: range.space, address: 0, bytes: await machine.readMemory(range, signal) }
}

export function mergeBefore(before: readonly Before[]): Before[] {
  const bySpace = new Map<Space, Map<number, number>>()
  for (const { space, address, bytes } of before.toReversed()) {
    const known = bySpace.get(space) ?? new Map<number, number>()
    bySpace.set(space, known)
    for (const [index, byte] of bytes.entries()) known.set(address + index, byte)
  }
  return [...bySpace].flatMap(([space, known]) => {
    const ranges: { space: Space; address: number; bytes: number[] }[] = []
    for (const [address, byte] of [...known].toSorted(([one], [other]) => one - other)) {
      const last = ranges.at(-1)
      if (last && last.address + last.bytes.length === address) last.bytes.push(byte)
      else ranges.push({ space, address, bytes: [byte] })
    }
    return ranges.map((range) => ({ ...range, bytes: Uint8Array.from(range.bytes) }))
  })
}

export async function putBack(machine: Machine, before: readonly Before[], signal: AbortSignal): Promise<string> {
  const count = await writeDiffering(machine, mergeBefore(before), signal)
  return `${counted(count, 'byte')} put back.`
}

/**
 * A machine that was running goes on.
 * @throws AppError CONFLICT where the point is not in its past any more
 */
export async function returnTo(
  machine: Machine,
  point: PastPoint,
  wasRunning: boolean,
  signal: AbortSignal,
): Promise<string> {
  await requireFacet(machine, 'timeTravel').returnTo(point, signal)
  if (wasRunning) await machine.execution?.resume(signal)
  return 'The machine is where it was before this call.'
}

export async function loadState(
  machine: Machine,
  state: Uint8Array,
  wasRunning: boolean,
  signal: AbortSignal,
): Promise<void> {
  await requireFacet(machine, 'saveState').load(state, signal)
  const { execution } = machine
  await (wasRunning ? execution?.resume(signal) : execution?.pause(signal))
}
