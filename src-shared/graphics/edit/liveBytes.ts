/** Bytes on their way to a machine: the newest of each counts, one write runs at a time, and none is lost. */
import { MAX_RUNS, type MemoryRun, type Space } from '../../contract/memory'

interface LiveByte {
  readonly space: Space
  readonly address: number
  value: number
  state: 'waiting' | 'sent' | 'written' | 'unwritten'
  writtenAt: number
}

interface Machine {
  /** At most {@link MAX_RUNS}. */
  readonly write: (runs: readonly MemoryRun[]) => Promise<unknown>
  readonly onUnwritten: (count: number, error: unknown) => void
  /** ms since 1970. */
  readonly now: () => number
}

export class LiveBytes {
  readonly #machine: Machine
  readonly #bytes = new Map<string, LiveByte>()
  #writing: Promise<void> | null = null
  #hasFailed = false

  constructor(machine: Machine) {
    this.#machine = machine
  }

  put({ space, address, bytes }: MemoryRun): void {
    bytes.forEach((value, offset) => {
      const key = `${space} ${address + offset}`
      this.#bytes.set(key, { space, address: address + offset, value, state: 'waiting', writtenAt: 0 })
    })
    this.#start()
  }

  async written(): Promise<void> {
    while (this.#writing) await this.#writing
  }

  /** Covers bytes read from the machine with those that it does not show yet. @param readAt ms since 1970 */
  cover({ space, address, bytes }: MemoryRun, readAt: number): void {
    if (this.#bytes.size === 0) return
    for (const [key, byte] of this.#bytes) {
      if (byte.state === 'written' && readAt > byte.writtenAt) this.#bytes.delete(key)
      else if (byte.space === space && byte.address >= address && byte.address < address + bytes.length)
        bytes[byte.address - address] = byte.value
    }
  }

  /** Bytes that the machine did not take stay over what it shows until they are written or taken back. */
  get unwritten(): readonly LiveByte[] {
    return this.#in('unwritten')
  }

  writeAgain(): void {
    for (const byte of this.unwritten) byte.state = 'waiting'
    this.#start()
  }

  takeBack(): void {
    for (const [key, { state }] of this.#bytes) if (state === 'unwritten') this.#bytes.delete(key)
    this.#hasFailed = false
    this.#machine.onUnwritten(0, null)
  }

  #start(): void {
    if (this.#in('waiting').length > 0) this.#writing ??= this.#writeAll()
  }

  async #writeAll(): Promise<void> {
    try {
      for (let waiting = this.#in('waiting'); waiting.length > 0; waiting = this.#in('waiting'))
        await this.#write(runsOf(waiting).slice(0, MAX_RUNS))
      if (!this.#hasFailed) return
      this.#hasFailed = this.unwritten.length > 0
      this.#machine.onUnwritten(this.unwritten.length, null)
    } catch (error) {
      for (const byte of this.#bytes.values()) if (byte.state !== 'written') byte.state = 'unwritten'
      this.#hasFailed = true
      this.#machine.onUnwritten(this.unwritten.length, error)
    } finally {
      this.#writing = null
    }
  }

  async #write(runs: readonly (readonly LiveByte[])[]): Promise<void> {
    const sent = runs.flat()
    for (const byte of sent) byte.state = 'sent'
    await this.#machine.write(memoryRuns(sent))
    const writtenAt = this.#machine.now()
    for (const byte of sent) {
      byte.state = 'written'
      byte.writtenAt = writtenAt
    }
  }

  #in(state: LiveByte['state']): LiveByte[] {
    return [...this.#bytes.values()].filter((byte) => byte.state === state)
  }
}

export const memoryRuns = (bytes: readonly LiveByte[]): MemoryRun[] =>
  runsOf(bytes).flatMap((run) => {
    const [first] = run
    if (!first) return []
    const { space, address } = first
    return [{ space, address, bytes: Uint8Array.from(run, ({ value }) => value) }]
  })

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
