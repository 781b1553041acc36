import { AppError } from '@shared/contract/errors'
import type { Space } from '@shared/contract/memory'
import type { Send } from './client'
import type { ApiVersion } from './codec'
import { readMemory, writeMemory } from './commands'

export class MemoryBanks {
  readonly #banks: ReadonlyMap<string, number>
  readonly #api: ApiVersion

  constructor(banks: ReadonlyMap<string, number>, api: ApiVersion) {
    this.#banks = banks
    this.#api = api
  }

  /** 1 to 65,536 bytes. */
  async read(send: Send, space: Space, address: number, length: number): Promise<Uint8Array> {
    const bank = this.#bank(space)
    const end = address + length - 1
    // VICE 3.5 writes past its own buffer when asked for all 64 KiB at once.
    const ends = this.#api === 1 && length > 0x8000 ? [address + 0x7fff, end] : [end]
    const parts = await Promise.all(
      ends.map((last, index) => send(readMemory(bank, index === 0 ? address : address + 0x8000, last))),
    )
    const [first = new Uint8Array(0)] = parts
    const bytes = parts.length === 1 ? first : new Uint8Array(Buffer.concat(parts))
    if (space === 'io' || space === 'colorRam' || (space === 'cpu' && showsIo(bytes, address)))
      keepLowNibbles(bytes, address)
    return bytes
  }

  /** 1 to 65,536 bytes, in parts: VICE counts the bytes of one command in 16 bits. */
  write(send: Send, space: Space, address: number, bytes: Uint8Array): Promise<unknown> {
    const bank = this.#bank(space)
    const parts = bytes.length > 0x8000 ? [bytes.subarray(0, 0x8000), bytes.subarray(0x8000)] : [bytes]
    return Promise.all(parts.map((part, index) => send(writeMemory(bank, address + index * 0x8000, part))))
  }

  #bank(space: Space): number {
    const name = space === 'colorRam' ? 'io' : space
    const bank = this.#banks.get(name)
    if (bank === undefined) throw new AppError('UNSUPPORTED', `This VICE has no memory bank “${name}”.`)
    return bank
  }
}

/** Whether `bytes` set the port at $0001 so that the CPU sees the I/O area: CHAREN, and LORAM or HIRAM. */
function showsIo(bytes: Uint8Array, address: number): boolean {
  const port = bytes[1 - address] ?? 0
  return (port & 0x04) !== 0 && (port & 0x03) !== 0
}

/** Colour RAM is four bits wide; VICE returns noise in the other bits. */
function keepLowNibbles(bytes: Uint8Array, address: number): void {
  const end = Math.min(address + bytes.length, 0xdc00)
  for (let at = Math.max(address, 0xd800); at < end; at++) bytes[at - address] = (bytes[at - address] ?? 0) & 0x0f
}
