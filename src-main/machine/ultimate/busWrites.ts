import { disassemble, JSR } from '@shared/c64/disassembler'
import type { NotedWrite } from '@shared/contract/running'
import type { CpuAccount } from './cpuAccount'
import { CpuFollower } from './cpuFollower'
import { CpuPort } from './cpuPort'
import { BUS_AVAILABLE, READ, type BusListener } from './debugReplay'

export interface BusWritesListener {
  written(address: number, value: number, how: Pick<NotedWrite, 'by' | 'cause' | 'cycle' | 'target'>): void
  read(address: number, value: number): void
}

/** Expansion port lines; low where they are clear. */
const GAME = 1 << 30
const EXROM = 1 << 29
/** After the VIC-II has asked for the bus, the CPU can write for so many cycles. */
const WRITES_WITHOUT_BUS = 3
/**
 * The Ultimate's cartridge shows this address while it has stopped the CPU and is idle (`slot_master` of its FPGA
 * sources). A CPU reads it at most three times in a row, and continues with a read after a stop.
 */
const STOPPED_ADDRESS = 0xffff
const STOPPED_CYCLES = 4
const MAX_TEXTS = 1_024

export class BusWrites implements BusListener {
  readonly #listener: BusWritesListener
  readonly #watched = new Uint8Array(0x10000)
  readonly #port = new CpuPort()
  readonly #follower = new CpuFollower({
    completed: (instruction) => this.#port.completed(instruction),
    missed: () => this.#port.forgetRegisters(),
  })
  readonly #writers = new Map<number, NonNullable<NotedWrite['by']>>()
  /** CPU cycles since the first entry; null after some were not counted. */
  #cycle: number | null = 0
  #cyclesPerPacket = 0
  #withoutBus = 0
  #stopped = 0
  /** Writes of a JSR, which reads the rest of its operand after them. */
  #pushed: { readonly entry: number; readonly cycle: number | null }[] = []
  #pusher = 0

  constructor(listener: BusWritesListener) {
    this.#listener = listener
  }

  watch(address: number): void {
    this.#watched[address] = 1
  }

  unwatch(address: number): void {
    this.#watched[address] = 0
  }

  lost(packets: number, counted: boolean): void {
    this.#endPush(undefined)
    this.#follower.lose()
    this.#port.forgetAll()
    this.#withoutBus = 0
    this.#stopped = 0
    this.#cycle = counted && this.#cycle !== null ? this.#cycle + packets * this.#cyclesPerPacket : null
  }

  entries(entries: Int32Array): void {
    const before = this.#cycle
    let cycles = 0
    for (let index = 0; index < entries.length; index++) {
      const entry = entries[index] ?? 0
      // Bit 31 is clear in the VIC-II's half of each cycle, and in entries of the 1541.
      if (entry >= 0) continue
      cycles++
      this.#take(entry, before === null ? null : before + cycles)
    }
    this.#cyclesPerPacket = cycles
    if (before !== null) this.#cycle = before + cycles
  }

  #take(entry: number, cycle: number | null): void {
    const isRead = (entry & READ) !== 0
    const address = entry & 0xffff
    const data = (entry >> 16) & 0xff
    if ((entry & BUS_AVAILABLE) !== 0) this.#withoutBus = 0
    else if (isRead) {
      this.#withoutBus++
      return
    } else if (++this.#withoutBus > WRITES_WITHOUT_BUS) {
      this.#takeForeign(entry, cycle, null)
      return
    }
    if (isRead) this.#stopped = address === STOPPED_ADDRESS ? this.#stopped + 1 : 0
    else if (this.#stopped >= STOPPED_CYCLES) {
      this.#takeForeign(entry, cycle, 'dma')
      return
    }
    this.#follower.take(isRead, address, data)
    if (isRead && this.#pushed.length > 0) this.#endPush(this.#follower.certain)
    if (!isRead && address < 2) this.#port.forgetByte(address)
    if (this.#watched[address] !== 1) return
    if (isRead) this.#listener.read(address, data)
    else this.#written(entry, cycle, this.#follower.certain)
  }

  #takeForeign(entry: number, cycle: number | null, cause: 'dma' | null): void {
    this.#endPush(undefined)
    this.#follower.lose()
    if (this.#watched[entry & 0xffff] === 1) this.#notify(entry, cycle, null, cause)
  }

  #written(entry: number, cycle: number | null, account: CpuAccount | undefined): void {
    if (account?.opcode === JSR && !account.isInterrupt) {
      this.#pushed.push({ entry, cycle })
      this.#pusher = account.pc
      return
    }
    const by = account && !account.isInterrupt ? this.#writerOf(account) : null
    this.#notify(entry, cycle, by, by ? 'instruction' : account ? 'interrupt' : null)
  }

  #endPush(account: CpuAccount | undefined): void {
    if (this.#pushed.length === 0) return
    const pushed = this.#pushed
    this.#pushed = []
    const isSeen = account?.opcode === JSR && account.pc === this.#pusher
    const by = isSeen ? this.#writerOf(account) : { address: this.#pusher, space: null, text: 'JSR' }
    for (const { entry, cycle } of pushed) this.#notify(entry, cycle, by, 'instruction')
  }

  #notify(entry: number, cycle: number | null, by: NotedWrite['by'], cause: NotedWrite['cause']): void {
    const address = entry & 0xffff
    const target = this.#targetOf(address, entry)
    this.#listener.written(address, (entry >> 16) & 0xff, { by, cause, cycle, target })
  }

  #writerOf({ pc, opcode, operandLow, operandHigh }: CpuAccount): NonNullable<NotedWrite['by']> {
    const key = ((pc << 8) | opcode) * 0x10000 + ((operandHigh << 8) | operandLow)
    const known = this.#writers.get(key)
    if (known) return known
    const bytes = [opcode, operandLow, operandHigh]
    const { text } = disassemble((at) => bytes[(at - pc) & 0xffff] ?? 0, pc)
    const writer = { address: pc, space: null, text }
    if (this.#writers.size >= MAX_TEXTS) this.#writers.clear()
    this.#writers.set(key, writer)
    return writer
  }

  /** The expansion port's lines and the 6510's port decide where a write arrives. */
  #targetOf(address: number, entry: number): NotedWrite['target'] {
    if (address < 2) return 'port'
    const isUltimax = (entry & GAME) === 0 && (entry & EXROM) !== 0
    if (isUltimax && address >= 0x1000 && (address < 0xd000 || address >= 0xe000))
      return (address >= 0x8000 && address < 0xa000) || address >= 0xe000 ? 'cartridge' : 'nothing'
    if (address < 0xd000 || address >= 0xe000) return 'ram'
    return isUltimax ? 'io' : this.#port.target
  }
}
