import { AppError, describeFailure, type ErrorCode } from '@shared/contract/errors'
import { MAX_NOTED_BYTES, type NotedByte as NotedByteState } from '@shared/contract/running'
import { SerialQueue } from '@shared/serialQueue'
import type { WriteNotes } from '../facets'
import { NotedByte } from '../notedByte'
import { tooManyNoted } from '../refusals'
import { BusWrites } from './busWrites'
import type { BusListener } from './debugReplay'

interface BusNotesOptions {
  readonly start: (signal: AbortSignal) => Promise<void>
  readonly stop: (signal: AbortSignal) => Promise<void>
  readonly isRunning: () => boolean
  /** The CPU's read of memory that is always RAM. */
  readonly read: (address: number, signal: AbortSignal) => Promise<number>
}

interface Noted {
  readonly byte: NotedByte
  readonly lostBefore: number
}

/** Where the CPU always reads what it writes: not its own port, and nothing under cartridge, ROM and I/O. */
const isAlwaysRam = (address: number): boolean =>
  address >= 2 && (address < 0x8000 || (address >= 0xc000 && address < 0xd000))

export class BusNotes implements WriteNotes, BusListener {
  readonly #options: BusNotesOptions
  readonly #bytes = new Map<number, Noted>()
  /** One after another, as they share the stream. */
  readonly #changes = new SerialQueue()
  #writes: BusWrites | undefined
  #lost = 0

  constructor(options: BusNotesOptions) {
    this.#options = options
  }

  get count(): number {
    return this.#bytes.size
  }

  list(): NotedByteState[] {
    const reason = this.#options.isRunning() ? null : 'The debug stream does not run now: writes are missed.'
    return [...this.#bytes.values()].map(({ byte, lostBefore }) => ({
      ...byte.state,
      reason,
      lost: this.#lost - lostBefore,
    }))
  }

  note(address: number, signal: AbortSignal): Promise<string | null> {
    return this.#changes.run(() => this.#note(address, signal))
  }

  end(address: number, signal: AbortSignal): Promise<void> {
    return this.#changes.run(async () => {
      if (!this.#bytes.delete(address)) return
      this.#writes?.unwatch(address)
      if (this.#bytes.size > 0) return
      this.clear()
      await this.#options.stop(signal)
    })
  }

  async #note(address: number, signal: AbortSignal): Promise<string | null> {
    if (this.#bytes.has(address)) return null
    if (this.#bytes.size >= MAX_NOTED_BYTES) throw tooManyNoted()
    try {
      await this.#options.start(signal)
    } catch (error) {
      const reason = reasonForSamples(error)
      if (reason === null) throw error
      return reason
    }
    const byte = new NotedByte(address, 'bus', null)
    this.#bytes.set(address, { byte, lostBefore: this.#lost })
    this.#writes ??= new BusWrites({
      written: (at, value, how) => this.#bytes.get(at)?.byte.written(value, Date.now(), how),
      read: (at, value) => this.#read(at, value),
    })
    this.#writes.watch(address)
    await this.#readFirst(byte, signal)
    return null
  }

  clear(): void {
    this.#bytes.clear()
    this.#writes = undefined
  }

  /** Something other than the CPU wrote there: what was there before is not known. */
  expire(address: number, length: number): void {
    for (const { byte } of this.#bytes.values())
      if (byte.address >= address && byte.address < address + length) byte.found(null)
  }

  entries(entries: Int32Array): void {
    this.#writes?.entries(entries)
  }

  lost(packets: number, counted: boolean): void {
    this.#lost += packets
    this.#writes?.lost(packets, counted)
    this.expire(0, 0x10000)
  }

  #read(address: number, value: number): void {
    if (isAlwaysRam(address)) this.#bytes.get(address)?.byte.found(value)
  }

  /** The value before its first write, where reading it has no side effect. */
  async #readFirst(byte: NotedByte, signal: AbortSignal): Promise<void> {
    if (!isAlwaysRam(byte.address)) return
    const value = await this.#options.read(byte.address, signal).catch(() => null)
    if (byte.value === null && byte.state.count === 0) byte.found(value)
  }
}

/** The stream cannot run: no such device, firmware or cable, or no packets. */
const leaveItToSamples: ReadonlySet<ErrorCode> = new Set(['UNSUPPORTED', 'NOT_FOUND', 'TIMEOUT', 'CONFLICT'])

const MAX_REASON_LENGTH = 500

const reasonForSamples = (error: unknown): string | null =>
  error instanceof AppError && leaveItToSamples.has(error.code)
    ? describeFailure(error).slice(0, MAX_REASON_LENGTH)
    : null
