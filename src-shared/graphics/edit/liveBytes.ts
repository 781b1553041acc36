/** Bytes on their way to a machine: the newest of each counts, one write is under way at a time, and none is lost. */
import type { Space } from '../../contract/memory'

export interface ByteRun {
  readonly space: Space
  readonly address: number
  readonly bytes: Uint8Array
}

interface LiveByte {
  readonly space: Space
  readonly address: number
  value: number
  state: 'waiting' | 'sent' | 'written'
  /** When the machine had it, ms since 1970. */
  writtenAt: number
}

interface Machine {
  readonly write: (run: ByteRun) => Promise<unknown>
  /** What was on its way is given up. */
  readonly onFailed: (error: unknown) => void
  /** ms since 1970. */
  readonly now: () => number
}

export class LiveBytes {
  readonly #machine: Machine
  readonly #bytes = new Map<string, LiveByte>()
  #writing: Promise<void> | null = null

  constructor(machine: Machine) {
    this.#machine = machine
  }

  put({ space, address, bytes }: ByteRun): void {
    bytes.forEach((value, offset) => {
      const key = `${space} ${address + offset}`
      this.#bytes.set(key, { space, address: address + offset, value, state: 'waiting', writtenAt: 0 })
    })
    this.#writing ??= this.#writeAll()
  }

  /** Resolves once the machine has all that was put. */
  async written(): Promise<void> {
    while (this.#writing) await this.#writing
  }

  /** Puts what the machine does not show yet into bytes read from it. @param readAt ms since 1970 */
  cover({ space, address, bytes }: ByteRun, readAt: number): void {
    if (this.#bytes.size === 0) return
    for (const [key, byte] of this.#bytes) {
      if (byte.state === 'written' && readAt > byte.writtenAt) this.#bytes.delete(key)
      else if (byte.space === space && byte.address >= address && byte.address < address + bytes.length)
        bytes[byte.address - address] = byte.value
    }
  }

  clear(): void {
    this.#bytes.clear()
  }

  async #writeAll(): Promise<void> {
    try {
      for (let waiting = this.#waiting(); waiting.length > 0; waiting = this.#waiting())
        for (const run of runsOf(waiting)) await this.#write(run)
    } catch (error) {
      this.#bytes.clear()
      this.#machine.onFailed(error)
    } finally {
      this.#writing = null
    }
  }

  async #write(bytes: readonly LiveByte[]): Promise<void> {
    const [first] = bytes
    if (!first) return
    for (const byte of bytes) byte.state = 'sent'
    const { space, address } = first
    await this.#machine.write({ space, address, bytes: Uint8Array.from(bytes, ({ value }) => value) })
    for (const byte of bytes) {
      byte.state = 'written'
      byte.writtenAt = this.#machine.now()
    }
  }

  #waiting(): LiveByte[] {
    return [...this.#bytes.values()].filter(({ state }) => state === 'waiting')
  }
}

function runsOf(bytes: readonly LiveByte[]): LiveByte[][] {
  const sorted = bytes.toSorted((one, other) =>
    one.space === other.space ? one.address - other.address : one.space < other.space ? -1 : 1,
  )
  const runs: LiveByte[][] = []
  for (const byte of sorted) {
    const last = runs.at(-1)?.at(-1)
    if (last?.space === byte.space && last.address + 1 === byte.address) runs.at(-1)?.push(byte)
    else runs.push([byte])
  }
  return runs
}
