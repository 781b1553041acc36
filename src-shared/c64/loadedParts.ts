import { hasBit, setBit } from '../bitmap'
import type { LaidOut } from './laidOut'

export interface LoadedProgram {
  readonly name: string
  readonly start: number
  readonly bytes: Uint8Array
}

export interface DebugSegment {
  readonly name: string
  readonly start: number
  /** Exclusive. */
  readonly end: number
  readonly file: string
}

/**
 * Where programs overlap the newest counts, so an older one may have several parts.
 * @param programs the oldest first
 * @param seen what is in memory; null where that is not known
 */
export function loadedParts(
  programs: readonly LoadedProgram[],
  seen: (address: number) => number | null,
): (LaidOut & { readonly changed: number })[] {
  const taken = new Uint8Array(0x2000)
  return programs.toReversed().flatMap((program) => {
    const parts = freeRanges(program, taken)
    for (let address = program.start; address < program.start + program.bytes.length; address++) setBit(taken, address)
    return parts.map((part) => ({ ...part, name: program.name, ...compare(program, part, seen) }))
  })
}

interface Range {
  readonly start: number
  readonly end: number
}

function freeRanges({ start, bytes }: LoadedProgram, taken: Uint8Array): Range[] {
  const ranges: { start: number; end: number }[] = []
  for (let address = start; address < start + bytes.length; address++) {
    if (hasBit(taken, address)) continue
    const last = ranges.at(-1)
    if (last?.end === address - 1) last.end = address
    else ranges.push({ start: address, end: address })
  }
  return ranges
}

function compare(program: LoadedProgram, { start, end }: Range, seen: (address: number) => number | null) {
  let changed = 0
  let hidden = 0
  for (let address = start; address <= end; address++) {
    const now = seen(address)
    if (now === null) hidden++
    else if (now !== program.bytes[address - program.start]) changed++
  }
  const size = end - start + 1
  const state = changed === 0 ? 'unchanged' : `${changed} of ${size - hidden} changed since`
  const unknown = `${hidden === size ? '' : `${hidden} bytes `}not compared: ROM or I/O lies over it`
  return {
    changed,
    why: `loaded, ${hidden === size ? unknown : hidden === 0 ? state : `${state}, ${unknown}`}`,
  }
}
