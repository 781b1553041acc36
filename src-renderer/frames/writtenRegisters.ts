import { IO_SIZE, IO_START } from '@shared/c64/video'
import { usePlayback } from './shownMoment'
import { frames } from './frames'

/** Longer than a frame at the slowest rate at which a machine that tells of its CPU is sampled, ms. */
const LATELY_MS = 250

/** Null where the machine does not tell, or a recording is shown. */
export function writtenLately(): ReadonlySet<number> | null {
  const { accesses, changeTime } = frames
  if (accesses.told === 'none' || usePlayback.getState().shown !== null) return null
  const times = accesses.of('writes', 'io')
  const written = new Set<number>()
  for (let address = IO_START; address < IO_START + IO_SIZE; address++)
    if ((times[address] ?? -Infinity) > changeTime - LATELY_MS) written.add(address)
  return written
}
