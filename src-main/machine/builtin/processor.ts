/** Each call is one bus cycle, which first brings the clock and the chips up to it. */
export interface Bus {
  /** Waits while the VIC-II holds RDY low; in each cycle waited it calls {@link Processor.repoll}. */
  read(address: number): number
  write(address: number, value: number): void
  readonly waited: number
}

export const CARRY = 0x01
export const ZERO = 0x02
export const INTERRUPTS_OFF = 0x04
export const DECIMAL = 0x08
/** Bits of the pushed status that are not CPU flags: clear when an interrupt pushes it, and always set. */
export const BREAK = 0x10
const ALWAYS = 0x20
export const OVERFLOW = 0x40
export const NEGATIVE = 0x80

/** The flags after a pull or write of the whole byte, which cannot change BREAK and ALWAYS. */
export const flagsFrom = (value: number): number => (value & ~BREAK) | ALWAYS

const STACK = 0x0100

export class Processor {
  readonly bus: Bus
  pc = 0
  a = 0
  x = 0
  y = 0
  sp = 0
  flags = ALWAYS | INTERRUPTS_OFF
  /** The level of the IRQ input; true asks for an interrupt. */
  irq = false
  /** An edge on the NMI input that is not yet served. */
  nmiLatched = false
  /** Decided by the last poll: an interrupt comes before the next instruction. */
  interrupted = false
  vectorTaken: number | null = null
  jammedAt: number | null = null

  constructor(bus: Bus) {
    this.bus = bus
  }

  /** The chip checks its interrupt inputs before the last cycle of an instruction. */
  poll(): void {
    this.interrupted = this.nmiLatched || (this.irq && (this.flags & INTERRUPTS_OFF) === 0)
  }

  /** To be called in each cycle that a read waits: the chip keeps checking its interrupt inputs. */
  repoll(): void {
    if (!this.interrupted) this.poll()
  }

  fetch(): number {
    const { pc } = this
    this.pc = (pc + 1) & 0xffff
    return this.bus.read(pc)
  }

  load(address: number): number {
    this.poll()
    return this.bus.read(address)
  }

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
