import { eachBit, setBit } from '@shared/bitmap'
import { accessSpaces, spaceRead, type AccessSpace } from '@shared/c64/banking'
import { instructionLength } from '@shared/c64/disassembler'
import type { Accesses } from '@shared/contract/frames'
import type { Touched, TouchedIn } from '@shared/contract/running'
import { addressBits, anywhereBits, placeIn, type TouchedPlaces } from './accessTrace'
import { timings, type C64 } from './c64'

type Traced = Pick<C64, 'trace' | 'space'>
type Bits = Uint8Array<ArrayBuffer>

const emptyBits = (): Bits => new Uint8Array(0x10000 >> 3)

/** @param seconds of the machine's time; null for all since it was started */
export function coverageOf(c64: C64, seconds: number | null): Touched {
  // A clock of 0 stands for never.
  const since = seconds === null ? 1 : Math.max(1, c64.clock - seconds * timings[c64.standard].clockRate)
  const touched = c64.trace.touchedSince(since)
  const apart = { ram: emptyBits(), rom: emptyBits(), io: emptyBits() }
  eachRun(c64, touched.exec, (space, address) => setBit(apart[space], address))
  const touchedIn = (space: AccessSpace): TouchedIn => inOneSpace(touched, space, apart[space])
  const spaces = { ram: touchedIn('ram'), rom: touchedIn('rom'), io: touchedIn('io') }
  return { ...spaces, cpu: seenNow(spaces, c64.space.pins) }
}

export function accessesSince(c64: Traced, clock: number, spaces: readonly AccessSpace[] = []): Accesses {
  const touched = c64.trace.touchedSince(clock)
  const runs = emptyBits()
  const runsApart: Partial<Record<AccessSpace, Bits>> = Object.fromEntries(spaces.map((space) => [space, emptyBits()]))
  eachRun(c64, touched.exec, (space, address) => {
    setBit(runs, address)
    const own = runsApart[space]
    if (own) setBit(own, address)
  })
  const apart = spaces.map((space) => [space, inOneSpace(touched, space, runsApart[space] ?? emptyBits())] as const)
  return {
    reads: anywhereBits(touched.load),
    writes: anywhereBits(touched.store),
    runs,
    spaces: Object.fromEntries(apart),
  }
}

const inOneSpace = ({ load, store }: TouchedPlaces, space: AccessSpace, runs: Bits): TouchedIn => ({
  reads: addressBits(load, space),
  writes: addressBits(store, space),
  runs,
})

/**
 * Operands are found by the byte that is there now: if a program changed it since, they may be too many or too few.
 * What ran before other bytes were loaded there is left out.
 */
function eachRun(
  { trace, space: memory }: Traced,
  exec: Uint8Array,
  found: (space: AccessSpace, address: number) => void,
): void {
  eachBit(exec, (place) => {
    if (trace.lastRun(place) === null) return
    const { space, address } = placeIn(place)
    const length = instructionLength(memory.peekIn(space, address))
    for (let offset = 0; offset < length; offset++) found(space, (address + offset) & 0xffff)
  })
}

function seenNow(apart: Readonly<Record<AccessSpace, TouchedIn>>, pins: number): TouchedIn {
  const pick = (kind: keyof TouchedIn): Bits => {
    const bits = emptyBits()
    for (const space of accessSpaces)
      eachBit(apart[space][kind], (address) => {
        if (spaceRead(pins, address) === space) setBit(bits, address)
      })
    return bits
  }
  return { runs: pick('runs'), reads: pick('reads'), writes: pick('writes') }
}
