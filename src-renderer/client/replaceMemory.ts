/** Writes to a machine that can be undone: what stood there is read before. */
import type { MemoryRun } from '@shared/contract/memory'
import { call } from './call'
import { attempt, notify } from './messages'

const CONTROL = 0xd011
/** $D011 reads as the raster line's bit 8 there, and is written as where the raster interrupt comes. */
const CONTROL_BITS = 0x7f

/** What stands where these would be written: the runs that put it back, in the opposite order. */
export const standingRuns = async (machine: string, runs: readonly MemoryRun[]): Promise<MemoryRun[]> =>
  (await readRuns(machine, runs)).reverse()

/** What stands at these places, in their order, so that it can be written. */
export async function readRuns(machine: string, runs: readonly MemoryRun[]): Promise<MemoryRun[]> {
  const standing: MemoryRun[] = []
  for (const { space, address, bytes } of runs) {
    const read = await call('memory.read', { machine, space, address, length: bytes.length })
    const control = space === 'io' ? CONTROL - address : -1
    standing.push({
      space,
      address,
      bytes: read.bytes.map((byte, at) => (at === control ? byte & CONTROL_BITS : byte)),
    })
  }
  return standing
}

/** In this order, within one stop of the machine where it can. */
export const writeRuns = (machine: string, runs: readonly MemoryRun[]) =>
  call('memory.writeRuns', { machine, runs: runs.map((run) => ({ ...run, bytes: run.bytes.slice() })) })

/** Writes them, and says so with the offer to undo it. */
export async function writeWithUndo(machine: string, runs: readonly MemoryRun[], message: string): Promise<void> {
  const standing = await standingRuns(machine, runs)
  await writeRuns(machine, runs)
  notify(message, null, { label: 'Undo', run: () => attempt(() => writeRuns(machine, standing)) })
}
