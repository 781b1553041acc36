import type { HistoryLimits } from '@shared/contract/machine'
import { C64 } from '../../src-main/machine/builtin/c64'
import { TimeTravel } from '../../src-main/machine/builtin/past/timeTravel'
import type { Roms } from '../../src-main/machine/builtin/pla'

/** A built-in C64 whose time is kept from its first cycle on. */
export function timedC64(roms: Roms, history?: HistoryLimits) {
  const c64 = new C64(roms, 'pal')
  const time = new TimeTravel(c64, roms, history)
  const run = (frames: number) => {
    for (let frame = 0; frame < frames; frame++) {
      c64.runFrame()
      time.ran()
    }
  }
  return { c64, time, run }
}
