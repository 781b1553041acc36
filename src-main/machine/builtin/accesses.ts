import { eachBit, setBit } from '@shared/bitmap'
import { instructionLength } from '@shared/c64/disassembler'
import type { Touched } from '@shared/contract/running'
import { addressBits } from './accessTrace'
import { timings, type C64 } from './c64'

/** @param seconds of the machine's time; null since it was started */
export function coverageOf(c64: C64, seconds: number | null): Touched {
  // A clock of 0 stands for never.
  return accessesSince(c64, seconds === null ? 1 : Math.max(1, c64.clock - seconds * timings[c64.standard].clockRate))
}

/**
 * What the CPU touched at a clock or later. The operands of an instruction are found by the byte that stands there now: where a
 * program changed it since, they may be too many or too few.
 */
export function accessesSince({ trace, space }: Pick<C64, 'trace' | 'space'>, clock: number): Touched {
  const { load, store, exec } = trace.touchedSince(clock)
  const runs = addressBits(exec)
  // Of a copy: operands set further bits.
  eachBit(runs.slice(), (address) => {
    const length = instructionLength(space.peek(address))
    for (let offset = 1; offset < length; offset++) setBit(runs, (address + offset) & 0xffff)
  })
  return { reads: addressBits(load), writes: addressBits(store), runs }
}
