/** Only as far as that can be told: a stack does not say what its bytes are for. */
import { JSR } from './disassembler'

const PAGE = 0x0100

export interface StackEntry {
  readonly address: number
  readonly bytes: readonly number[]
  /** Null where no JSR stands before the return address. */
  readonly call: { readonly from: number; readonly to: number; readonly returnsTo: number } | null
}

/**
 * The byte pushed last comes first. Two bytes count as a return address where a JSR stands before it: a guess, as data
 * may look the same and code may have changed.
 * @param pointer the stack pointer, $00 to $FF: the first byte lies above it
 * @param read the memory that the CPU sees
 */
export function stackEntries(read: (address: number) => number, pointer: number, limit = 0x100): StackEntry[] {
  const entries: StackEntry[] = []
  for (let at = (pointer & 0xff) + 1; at <= 0xff && entries.length < limit; at += entries.at(-1)?.bytes.length ?? 1) {
    const address = PAGE + at
    const low = read(address)
    const call = at < 0xff ? callBefore(read, low | (read(address + 1) << 8)) : null
    entries.push({ address, bytes: call ? [low, read(address + 1)] : [low], call })
  }
  return entries
}

/** @param pushed the address of the last byte of a JSR, as JSR pushes it */
function callBefore(read: (address: number) => number, pushed: number): StackEntry['call'] {
  const from = (pushed - 2) & 0xffff
  if (read(from) !== JSR) return null
  const to = read((from + 1) & 0xffff) | (read((from + 2) & 0xffff) << 8)
  return { from, to, returnsTo: (pushed + 1) & 0xffff }
}
