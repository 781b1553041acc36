/** What was there is read before each write, so that it can be undone. */
import type { MemoryRun } from '@shared/contract/memory'
import { call } from './call'
import { attempt, notify } from './messages'

const CONTROL = 0xd011
/** Bit 7 of $D011 reads as bit 8 of the raster line, and is written as that of the raster interrupt. */
const CONTROL_BITS = 0x7f

/** In the opposite order. */
export const standingRuns = async (machine: string, runs: readonly MemoryRun[]): Promise<MemoryRun[]> =>
  (await readRuns(machine, runs)).reverse()

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

/** Written in this order, within one stop of the machine where it can. */
export const writeRuns = (machine: string, runs: readonly MemoryRun[]) =>
  call('memory.writeRuns', { machine, runs: runs.map((run) => ({ ...run, bytes: run.bytes.slice() })) })

export async function writeWithUndo(machine: string, runs: readonly MemoryRun[], message: string): Promise<void> {
  const standing = await standingRuns(machine, runs)
  await writeRuns(machine, runs)
  notify(message, null, { label: 'Undo', run: () => attempt(() => writeRuns(machine, standing)) })
}
