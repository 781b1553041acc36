export interface AddressSpan {
  readonly address: number
  readonly length: number
}

interface Options {
  readonly address: number
  readonly mask: number
  readonly ignore: readonly AddressSpan[]
}

/** Ranges that touch are one. */
export function differingRanges(
  before: Uint8Array,
  now: Uint8Array,
  { address, mask, ignore }: Options,
): AddressSpan[] {
  const ignored = new Uint8Array(before.length)
  for (const range of ignore) {
    const start = Math.max(0, range.address - address)
    ignored.fill(1, start, Math.max(start, range.address + range.length - address))
  }
  const found: AddressSpan[] = []
  let start: number | undefined
  for (let index = 0; index <= before.length; index++) {
    const differs =
      index < before.length && ignored[index] === 0 && (((before[index] ?? 0) ^ (now[index] ?? 0)) & mask) !== 0
    if (differs) start ??= index
    else if (start !== undefined) {
      found.push({ address: address + start, length: index - start })
      start = undefined
    }
  }
  return found
}
