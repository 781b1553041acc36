/** Bus cycles of the built-in C64's CPU on RAM, as entries of an Ultimate's debug stream, and who made each write of them. */
import { formatAddress } from '@shared/c64/address'
import { disassemble } from '@shared/c64/disassembler'
import { Cpu } from '../../src-main/machine/builtin/cpu'
import type { Bus } from '../../src-main/machine/builtin/processor'

/** Bits 31 to 24 of an entry: PHI2, GAME#, EXROM#, BA, IRQ#, ROM#, NMI#, R/W#. */
const READ = 0xff000000
const WRITE = 0xfe000000
const BUS_AVAILABLE = 0x10000000

export interface TracedWrite {
  /** Of its entry. */
  readonly index: number
  readonly address: number
  readonly value: number
  readonly by: Writer
}

/** An instruction; null for an interrupt. */
type Writer = { readonly address: number; text: string } | null

export interface Disturbances {
  /** A number from 0 to 2^32 - 1, another with each call. */
  readonly random: () => number
  /** One in so many cycles begins a bad line, an IRQ, an NMI; 0 for none. */
  readonly badLines: number
  readonly irqs: number
  readonly nmis: number
}

/** A bad line holds the bus for 40 cycles and 3 before. */
const BAD_LINE = 43
const VIC_ADDRESS = 0x3fff
/** How long an IRQ line stays low, cycles. */
const IRQ_LOW = 40

export class TracedCpu implements Bus {
  readonly ram = new Uint8Array(0x10000)
  readonly cpu = new Cpu(this)
  readonly entries: number[] = []
  readonly writes: TracedWrite[] = []
  waited = 0
  readonly #disturbed: Disturbances
  #held = 0
  #irqLeft = 0
  #by: Writer = null

  constructor(disturbed: Disturbances) {
    this.#disturbed = disturbed
  }

  /** Starts at an address, by a reset that the bus shows. */
  reset(address: number): void {
    this.ram.set([address & 0xff, address >> 8], 0xfffc)
    this.cpu.reset()
  }

  /** One instruction, interrupt or reset. A CPU that has jammed is reset. */
  step(): void {
    const { cpu } = this
    if (cpu.jammedAt !== null) cpu.reset()
    const { pc: address } = cpu
    const by = { address, text: disassemble((at) => this.ram[at] ?? 0, address).text }
    this.#by = cpu.interrupted ? null : by
    cpu.step()
    // It may have written over its own operand, which it reads last.
    if (by.text.startsWith('JSR')) by.text = `JSR ${formatAddress(cpu.pc)}`
  }

  read(address: number): number {
    this.waited = 0
    this.#tick()
    while (this.#held > 0) {
      this.#put((READ & ~BUS_AVAILABLE) >>> 0, VIC_ADDRESS, 0)
      this.waited++
      this.#tick()
      this.cpu.repoll()
    }
    const value = this.ram[address] ?? 0
    // The bus does not show the CPU's own port.
    this.#put(READ, address, address < 2 ? 0x5a : value)
    return value
  }

  write(address: number, value: number): void {
    this.#tick()
    const { length: index } = this.entries
    this.#put(this.#held > 0 ? (WRITE & ~BUS_AVAILABLE) >>> 0 : WRITE, address, value)
    this.writes.push({ index, address, value, by: this.#by })
    this.ram[address] = value
  }

  #tick(): void {
    const { random, badLines, irqs, nmis } = this.#disturbed
    const falls = (one: number): boolean => one > 0 && random() % one === 0
    if (this.#held > 0) this.#held--
    else if (falls(badLines)) this.#held = BAD_LINE
    if (this.#irqLeft > 0) this.#irqLeft--
    else if (falls(irqs)) this.#irqLeft = IRQ_LOW
    this.cpu.irq = this.#irqLeft > 0
    if (falls(nmis)) this.cpu.nmi()
  }

  #put(high: number, address: number, data: number): void {
    this.entries.push((high | (data << 16) | address) >>> 0)
  }
}
