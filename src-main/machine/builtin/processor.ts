/** What an instruction works on: the registers, the bus and the interrupt inputs of the 6510. */

/** Each call is one cycle of the bus, which brings the clock and the chips there before it gives access. */
export interface Bus {
  /** Waits while the VIC-II holds RDY low; in each cycle waited it calls {@link Processor.repoll}. */
  read(address: number): number
  /** Never waits: RDY does not stop writes. */
  write(address: number, value: number): void
  /** How many cycles the last read waited. */
  readonly waited: number
}

export const CARRY = 0x01
export const ZERO = 0x02
export const INTERRUPTS_OFF = 0x04
export const DECIMAL = 0x08
/** Not flags of the CPU but bits of what it pushes: clear when an interrupt does, and always set. */
export const BREAK = 0x10
const ALWAYS = 0x20
export const OVERFLOW = 0x40
export const NEGATIVE = 0x80

/** The flags that a byte sets when it is pulled or written as a whole: it cannot change the two that are none. */
export const flagsFrom = (value: number): number => (value & ~BREAK) | ALWAYS

const STACK = 0x0100

export class Processor {
  readonly bus: Bus
  pc = 0
  a = 0
  x = 0
  y = 0
  sp = 0
  /** As PHP pushes them, but with bit 4 clear. */
  flags = ALWAYS | INTERRUPTS_OFF
  /** The level of the IRQ input; true asks for an interrupt. */
  irq = false
  /** There was an edge on the NMI input that was not served yet. */
  nmiLatched = false
  /** Decided by the last poll: an interrupt comes before the next instruction. */
  interrupted = false
  /** The vector that was jumped through last, for those who ask whether one was: no part of the machine. */
  vectorTaken: number | null = null
  /** Where the CPU stopped at an opcode that jams it, until the next reset. */
  jammedAt: number | null = null

  constructor(bus: Bus) {
    this.bus = bus
  }

  /** Looks at the interrupt inputs, as the chip does before the last cycle of an instruction. */
  poll(): void {
    this.interrupted = this.nmiLatched || (this.irq && (this.flags & INTERRUPTS_OFF) === 0)
  }

  /** To be called in each cycle that a read waits: the chip goes on looking at its interrupt inputs. */
  repoll(): void {
    if (!this.interrupted) this.poll()
  }

  /** The next byte of the instruction. */
  fetch(): number {
    const { pc } = this
    this.pc = (pc + 1) & 0xffff
    return this.bus.read(pc)
  }

  /** The last cycle of an instruction, as a read. */
  load(address: number): number {
    this.poll()
    return this.bus.read(address)
  }

  /** The last cycle of an instruction, as a write. */
  store(address: number, value: number): void {
    this.poll()
    this.bus.write(address, value)
  }

  push(value: number): void {
    const { sp } = this
    this.sp = (sp - 1) & 0xff
    this.bus.write(STACK | sp, value)
  }

  pull(): number {
    this.sp = (this.sp + 1) & 0xff
    return this.bus.read(STACK | this.sp)
  }

  /** A cycle in which the chip reads the top of the stack and ignores it. */
  idleAtStack(): void {
    this.bus.read(STACK | this.sp)
  }

  setFlag(mask: number, on: boolean): void {
    this.flags = on ? this.flags | mask : this.flags & ~mask
  }

  setNZ(value: number): void {
    this.flags = (this.flags & ~(NEGATIVE | ZERO)) | (value & NEGATIVE) | (value === 0 ? ZERO : 0)
  }

  setNZC(value: number, carry: number): void {
    this.flags = (this.flags & ~(NEGATIVE | ZERO | CARRY)) | (value & NEGATIVE) | (value === 0 ? ZERO : 0) | carry
  }
}
