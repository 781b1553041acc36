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
  for (const address of addressesIn(runs.slice())) {
    const length = instructionLength(space.peek(address))
    for (let offset = 1; offset < length; offset++) setBit(runs, (address + offset) & 0xffff)
  }
  return { reads: addressBits(load), writes: addressBits(store), runs }
}

function* addressesIn(bits: Uint8Array): Generator<number> {
  for (const [index, eight] of bits.entries()) {
    if (eight === 0) continue
    for (let bit = 0; bit < 8; bit++) if ((eight & (1 << bit)) !== 0) yield (index << 3) | bit
  }
}

function setBit(bits: Uint8Array, address: number): void {
  bits[address >> 3] = (bits[address >> 3] ?? 0) | (1 << (address & 7))
}
