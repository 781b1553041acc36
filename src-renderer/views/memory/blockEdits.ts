import type { AddressRange } from '@shared/c64/address'
import { AppError } from '@shared/contract/errors'

export interface Write {
  readonly address: number
  readonly after: Uint8Array
}

/** The pattern is repeated, and cut off at the end. */
export const fill = ({ start, end }: AddressRange, pattern: Uint8Array): Write => ({
  address: start,
  after: Uint8Array.from({ length: end - start }, (_, offset) => pattern[offset % pattern.length] ?? 0),
})

/** @throws AppError INVALID where the bytes go past the end of `memory` */
export function copy(bytes: Uint8Array, to: number, memory: AddressRange): Write {
  if (to < memory.start || to + bytes.length > memory.end)
    throw new AppError('INVALID', `${bytes.length} bytes from there on do not fit into this memory.`, {
      hint: 'Choose an earlier address.',
    })
  return { address: to, after: bytes }
}

/**
 * Leaves zeros where the bytes came from, except where the copy covers them.
 * @throws AppError as {@link copy}
 */
export function move(bytes: Uint8Array, from: number, to: number, memory: AddressRange): readonly Write[] {
  const copied = copy(bytes, to, memory)
  const rest = {
    start: to <= from ? Math.max(from, to + bytes.length) : from,
    end: to > from ? Math.min(from + bytes.length, to) : from + bytes.length,
  }
  return rest.end > rest.start && to !== from ? [copied, fill(rest, Uint8Array.of(0))] : [copied]
}
