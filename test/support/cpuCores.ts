/** Our CPU and that of 6502.ts on the same bus with nothing but RAM, for comparing their speeds. */
import importedCore from '6502.ts/lib/machine/cpu/StateMachineCpu'
import { Cpu } from '../../src-main/machine/builtin/cpu'

const START = 0x1000

/**
 * Loads, stores, sums, a subroutine, branches, read-modify-write, indirect addresses: no end.
 *
 *   $1000  LDX #0
 *   $1002  CLC; LDA $2000,X; ADC #3; STA $2100,X; INC $20; JSR $1018; INX; BNE $1002; JMP $1000
 *   $1018  LDY #4
 *   $101A  LDA ($30),Y; EOR $20; STA ($32),Y; LSR; ROL $21; DEY; BNE $101A; RTS
 */
const program = [
  0xa2, 0x00, 0x18, 0xbd, 0x00, 0x20, 0x69, 0x03, 0x9d, 0x00, 0x21, 0xe6, 0x20, 0x20, 0x18, 0x10, 0xe8, 0xd0, 0xef,
  0x4c, 0x00, 0x10, 0xea, 0xea, 0xa0, 0x04, 0xb1, 0x30, 0x45, 0x20, 0x91, 0x32, 0x4a, 0x26, 0x21, 0x88, 0xd0, 0xf4,
  0x60,
]

class RamBus {
  readonly ram = new Uint8Array(0x10000)
  clock = 0

  constructor() {
    this.ram.set(program, START)
    this.ram.set([0x00, 0x22, 0x00, 0x23], 0x30)
    this.ram.set([START & 0xff, START >> 8], 0xfffc)
  }

  get waited(): number {
    return 0
  }

  read(address: number): number {
    this.clock++
    return this.ram[address] ?? 0
  }

  write(address: number, value: number): void {
    this.clock++
    this.ram[address] = value
  }

  peek(address: number): number {
    return this.ram[address] ?? 0
  }

  readWord(address: number): number {
    return this.peek(address) | (this.peek((address + 1) & 0xffff) << 8)
  }

  poke(address: number, value: number): void {
    this.write(address, value)
  }
}

export interface RunningCore {
  readonly bus: RamBus
  /** Runs on for about that many cycles. */
  readonly run: (cycles: number) => void
}

export function ourCore(): RunningCore {
  const bus = new RamBus()
  const cpu = new Cpu(bus)
  cpu.reset()
  return {
    bus,
    run: (cycles) => {
      const end = bus.clock + cycles
      while (bus.clock < end) cpu.step()
    },
  }
}

const isCore = (value: unknown): value is typeof importedCore => typeof value === 'function'
/** The package is CommonJS: by Node's rules its default import is the whole `exports`. */
const ForeignCore = [importedCore, Reflect.get(importedCore, 'default')].find(isCore) ?? importedCore

export function foreignCore(): RunningCore {
  const bus = new RamBus()
  const cpu = new ForeignCore(bus)
  cpu.reset()
  return {
    bus,
    run: (cycles) => {
      for (let cycle = 0; cycle < cycles; cycle++) cpu.cycle()
    },
  }
}
