import { eachBit, setBit } from '@shared/bitmap'
import { accessSpaces, spaceRead, type AccessSpace } from '@shared/c64/banking'
import { instructionLength } from '@shared/c64/disassembler'
import type { Accesses } from '@shared/contract/frames'
import type { Touched, TouchedIn } from '@shared/contract/running'
import { addressBits, placeOffsets } from './accessTrace'
import { timings, type C64 } from './c64'

type Traced = Pick<C64, 'trace' | 'space'>
type Apart = Readonly<Record<AccessSpace, TouchedIn>>

/** @param seconds of the machine's time; null since it was started */
export function coverageOf(c64: C64, seconds: number | null): Touched {
  // A clock of 0 stands for never.
  const since = seconds === null ? 1 : Math.max(1, c64.clock - seconds * timings[c64.standard].clockRate)
  const apart = touchedSince(c64, since)
  return { ...apart, cpu: seenNow(apart, c64.space.pins) }
}

/** What the CPU touched at a clock or later, wherever it was, and in some memories apart. */
export function accessesSince(c64: Traced, clock: number, spaces: readonly AccessSpace[] = []): Accesses {
  const apart = touchedSince(c64, clock)
  const anywhere = (kind: keyof TouchedIn): Uint8Array => {
    const bits = apart.ram[kind].slice()
    for (const space of ['rom', 'io'] as const)
      for (const [index, eight] of apart[space][kind].entries())
        if (eight !== 0) bits[index] = (bits[index] ?? 0) | eight
    return bits
  }
  const asked = Object.fromEntries(spaces.map((space) => [space, apart[space]]))
  return { reads: anywhere('reads'), writes: anywhere('writes'), runs: anywhere('runs'), spaces: asked }
}

/**
 * The operands of an instruction are found by the byte that stands there now: where a program changed it since, they may be too
 * many or too few. What ran before other bytes were loaded in its place is left out.
 */
function touchedSince({ trace, space: memory }: Traced, clock: number): Apart {
  const { load, store, exec } = trace.touchedSince(clock)
  const touchedIn = (space: AccessSpace): TouchedIn => {
    const runs = new Uint8Array(0x10000 >> 3)
    eachBit(addressBits(exec, space), (address) => {
      if (trace.lastRun(address + placeOffsets[space]) === null) return
      const length = instructionLength(memory.peekIn(space, address))
      for (let offset = 0; offset < length; offset++) setBit(runs, (address + offset) & 0xffff)
    })
    const writes = space === 'rom' ? new Uint8Array(0x10000 >> 3) : addressBits(store, space)
    return { reads: addressBits(load, space), writes, runs }
  }
  return { ram: touchedIn('ram'), rom: touchedIn('rom'), io: touchedIn('io') }
}

/** Of each address what the CPU sees there now. */
function seenNow(apart: Apart, pins: number): TouchedIn {
  const pick = (kind: keyof TouchedIn): Uint8Array<ArrayBuffer> => {
    const bits = new Uint8Array(0x10000 >> 3)
    for (const space of accessSpaces)
      eachBit(apart[space][kind], (address) => {
        if (spaceRead(pins, address) === space) setBit(bits, address)
      })
    return bits
  }
  return { runs: pick('runs'), reads: pick('reads'), writes: pick('writes') }
}
