/**
 * The history of a byte is found without reading other pages. For each changed address: its low byte, the number of
 * changes, the frames as offsets from the block's first one, the values; one byte each.
 */

/** Their offsets fit into a byte. */
export const BLOCK_FRAMES = 250

export interface PageChanges {
  readonly page: number
  readonly data: Uint8Array
}

export class BlockChanges {
  readonly #addresses: number[] = []
  readonly #offsets: number[] = []
  readonly #values: number[] = []

  get size(): number {
    return this.#addresses.length
  }

  /** @param offset frames since the block's first one */
  add(offset: number, address: number, value: number): void {
    this.#addresses.push(address)
    this.#offsets.push(offset)
    this.#values.push(value)
  }

  pages(): PageChanges[] {
    const order = this.#byAddress()
    const pages: PageChanges[] = []
    for (let from = 0; from < order.length;) {
      const page = this.#address(order[from]) >> 8
      let to = from
      while (to < order.length && this.#address(order[to]) >> 8 === page) to++
      pages.push({ page, data: this.#encodePage(order.subarray(from, to)) })
      from = to
    }
    return pages
  }

  #address(index = 0): number {
    return this.#addresses[index] ?? 0
  }

  #byAddress(): Uint32Array {
    const next = new Uint32Array(0x10001)
    for (const address of this.#addresses) next[address + 1] = (next[address + 1] ?? 0) + 1
    for (let address = 0; address < 0x10000; address++)
      next[address + 1] = (next[address + 1] ?? 0) + (next[address] ?? 0)
    const order = new Uint32Array(this.#addresses.length)
    for (const [index, address] of this.#addresses.entries()) {
      const place = next[address] ?? 0
      order[place] = index
      next[address] = place + 1
    }
    return order
  }

  #encodePage(order: Uint32Array): Uint8Array {
    const out = new Uint8Array(order.length * 4)
    let at = 0
    for (let from = 0; from < order.length;) {
      const address = this.#address(order[from])
      let to = from
      while (to < order.length && this.#address(order[to]) === address) to++
      out[at++] = address & 0xff
      out[at++] = to - from
      for (let index = from; index < to; index++) out[at++] = this.#offsets[order[index] ?? 0] ?? 0
      for (let index = from; index < to; index++) out[at++] = this.#values[order[index] ?? 0] ?? 0
      from = to
    }
    return out.subarray(0, at)
  }
}

/**
 * In the order of time.
 * @throws RangeError where `data` was not made by {@link BlockChanges}
 */
export function eachChange(data: Uint8Array, address: number, onChange: (offset: number, value: number) => void): void {
  const low = address & 0xff
  for (let at = 0; at < data.length;) {
    const found = data[at]
    const count = data[at + 1] ?? 0
    const offsets = at + 2
    const values = offsets + count
    at = values + count
    if (count === 0 || at > data.length) throw new RangeError('the changes of a page end early')
    if (found !== low) continue
    for (let index = 0; index < count; index++) onChange(data[offsets + index] ?? 0, data[values + index] ?? 0)
    return
  }
}
