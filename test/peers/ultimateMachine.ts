/**
 * The C64 behind the stand-in Ultimate: memory as a DMA access sees it, the keyboard buffer, and a simulated program.
 * There is no Commodore ROM in it: the ROM areas hold a pattern.
 */
import { Program } from './ultimateProgram.ts'
import type { UltimateOptions } from './ultimateOptions.ts'

/** Reading these changes the machine: collision latches, the CIAs' time of day and interrupt registers, cartridge I/O. */
export const readChanges = (address: number): boolean =>
  (address >= 0xd000 && address < 0xd400 && (address & 0x3e) === 0x1e) ||
  (address >= 0xdc00 && address < 0xde00 && ((address & 15) === 13 || ((address & 15) >= 8 && (address & 15) <= 11))) ||
  (address >= 0xde00 && address < 0xe000)

/** Bits of the VIC's registers $D000-$D02E that are not connected; they read 1. */
const VIC_UNUSED = new Map([
  [0x16, 0xc0],
  [0x18, 0x01],
  [0x19, 0x70],
  [0x1a, 0xf0],
  ...Array.from({ length: 15 }, (_, n) => [0x20 + n, 0xf0] as const),
])

const romPattern = (address: number): number => ((address * 0x9d) ^ (address >> 7) ^ 0x5a) & 0xff

export interface Typed {
  readonly text: string
  readonly codes: readonly number[]
}

export interface Run {
  readonly call: string
  readonly name: string
  readonly bytes: Buffer
}

export class C64 {
  readonly ram = new Uint8Array(0x10000)
  /** $D000-$DFFF as last written. */
  readonly io = new Uint8Array(0x1000)
  readonly program: Program
  readonly heldKeys = new Set<string>()
  readonly heldJoystick: readonly [Set<string>, Set<string>] = [new Set(), new Set()]
  /** What the keyboard buffer's reader took from it. */
  readonly typed: number[] = []
  /** Programs, tunes and cartridges that were started or loaded, oldest first. */
  readonly runs: Run[] = []
  paused = false
  menuOpen = false
  poweredOff = false
  resets = 0
  reboots = 0
  debugRegister = 0
  /** Times that a DMA access stopped a CPU that ran, and bytes that went through DMA: about a cycle each. */
  stops = 0
  bytesByDma = 0
  #options: UltimateOptions
  readonly #onTyped: (typed: Typed) => void
  #noise = 1
  #reader: NodeJS.Timeout | undefined

  constructor(options: UltimateOptions, onTyped: (typed: Typed) => void) {
    this.#options = options
    this.#onTyped = onTyped
    this.program = new Program(this.ram)
    this.program.isBusy = options.busyBus
    this.powerOn()
  }

  change(options: UltimateOptions): void {
    this.#options = options
    this.program.isBusy = options.busyBus
  }

  /** Memory as chips wake up, then as after the boot. */
  powerOn(): void {
    for (let address = 0; address < 0x10000; address += 1) this.ram[address] = address & 0x40 ? 0xff : 0
    this.debugRegister = 0
    this.#boot()
  }

  reset(): void {
    this.resets += 1
    this.#boot()
  }

  #boot(): void {
    this.paused = false
    this.menuOpen = false
    this.heldKeys.clear()
    this.heldJoystick.forEach((held) => held.clear())
    this.ram.fill(0, 0x02, 0x100)
    this.ram.fill(0, 0x200, 0x300)
    this.#word(0x2b, 0x0801)
    this.#word(0x2d, 0x0803)
    this.#word(0x2f, 0x0803)
    this.#word(0x31, 0x0803)
    this.#word(0x37, 0xa000)
    this.ram.fill(0, 0x0800, 0x0803)
    this.ram[0x0286] = 14
    this.ram[0x0288] = 4
    this.#word(0x0314, 0xea31)
    this.ram.fill(0x20, 0x0400, 0x07e8)
    this.ram.set([18, 5, 1, 4, 25, 46], 0x0400 + 5 * 40)
    this.io.fill(0)
    this.io.fill(14, 0x800, 0xbe8)
    this.io.set([0x1b, 0x00, 0x00, 0x00, 0x00, 0xc8, 0x00, 0x15], 0x11)
    this.io.set([14, 6], 0x20)
    this.io.set([0x7f, 0xff, 0xff, 0x00], 0xc00)
    this.io.set([0x97, 0xff, 0x3f, 0x00], 0xd00)
    this.program.install()
  }

  #word(address: number, value: number): void {
    this.ram[address] = value & 0xff
    this.ram[address + 1] = value >> 8
  }

  get #rasterLine(): number {
    return Math.floor(((performance.now() * 985.248) / 63) % 312)
  }

  /** Where a DMA access to `address` ends up, by the processor port of this moment. */
  #seen(address: number): 'none' | 'ram' | 'rom' | 'io' {
    const port = this.#options.cpuPort
    if (address < 2) return 'none'
    if (address >= 0xa000 && address < 0xc000) return (port & 3) === 3 ? 'rom' : 'ram'
    if (address >= 0xe000) return port & 2 ? 'rom' : 'ram'
    if (address >= 0xd000 && address < 0xe000 && port & 3) return port & 4 ? 'io' : 'rom'
    return 'ram'
  }

  read(address: number): number {
    switch (this.#seen(address)) {
      case 'none':
        return 0
      case 'ram':
        return this.ram[address] ?? 0
      case 'rom':
        return romPattern(address)
      case 'io':
        return this.#readIo(address & 0xfff)
    }
  }

  #readIo(offset: number): number {
    if (offset < 0x400) {
      const register = offset & 0x3f
      if (register >= 0x2f) return 0xff
      if (register === 0x11) return ((this.io[0x11] ?? 0) & 0x7f) | (this.#rasterLine > 255 ? 0x80 : 0)
      if (register === 0x12) return this.#rasterLine & 0xff
      const value = (this.io[register] ?? 0) | (VIC_UNUSED.get(register) ?? 0)
      if (register === 0x1e || register === 0x1f) this.io[register] = 0
      return value
    }
    // The SID's registers cannot be read; paddles and voice 3 can, and are still here.
    if (offset < 0x800) return (offset & 0x1f) === 0x19 || (offset & 0x1f) === 0x1a ? 0xff : 0
    if (offset < 0xc00) {
      this.#noise = (this.#noise * 1103515245 + 12345) & 0x7fffffff
      return ((this.io[offset] ?? 0) & 0x0f) | ((this.#noise >> 12) & 0xf0)
    }
    const register = offset < 0xe00 ? offset & 0xf0f : offset
    const value = this.io[register] ?? 0
    if (offset < 0xe00 && (offset & 0x0f) === 0x0d) this.io[register] = 0
    return value
  }

  write(address: number, value: number): void {
    const seen = this.#seen(address)
    if (seen === 'none') return
    if (seen !== 'io') {
      this.ram[address] = value
      if (address === 0xc6) this.#awaitReader()
      return
    }
    const offset = address & 0xfff
    if (offset < 0x400) this.io[offset & 0x3f] = value
    else if (offset < 0x800) this.io[0x400 + (offset & 0x1f)] = value
    else if (offset < 0xc00) this.io[offset] = value & 0x0f
    else this.io[offset < 0xe00 ? offset & 0xf0f : offset] = value
  }

  /** Puts `keys` in the keyboard buffer and sets its count, without a look at the buffer's size of ten. */
  putKeys(keys: Uint8Array): void {
    this.ram.set(keys, 0x277)
    this.write(0xc6, keys.length & 0xff)
  }

  takeBus(bytes: number): void {
    if (!this.paused) this.stops += 1
    this.bytesByDma += bytes
  }

  setPaused(paused: boolean): void {
    this.paused = paused
    if (!paused) this.#awaitReader()
  }

  #awaitReader(): void {
    this.#reader ??= setTimeout(() => {
      this.#reader = undefined
      const count = this.ram[0xc6] ?? 0
      if (this.paused || !this.#options.readsKeys || count === 0) return
      const codes = [...this.ram.subarray(0x277, 0x277 + count)]
      this.ram[0xc6] = 0
      this.typed.push(...codes)
      this.#onTyped({ text: String.fromCharCode(...codes), codes })
    }, 20).unref()
  }

  /** As the device loads a PRG: a reset through its boot cartridge, the bytes by DMA, and what the KERNAL's LOAD would leave. */
  load(call: string, name: string, prg: Buffer): void {
    this.reset()
    const start = prg.length >= 2 ? prg.readUInt16LE(0) : 0x0801
    const data = prg.subarray(2, 2 + 0x10000 - start)
    this.ram.set(data, start)
    const end = (start + data.length) & 0xffff
    for (const pointer of [0x2d, 0x2f, 0x31, 0xae]) this.#word(pointer, end)
    this.ram[0x90] = 0x40
    this.ram[0x35] = 0x00
    this.ram[0x36] = 0xa0
    this.ram[0xba] = 8
    this.runs.push({ call, name, bytes: prg })
  }
}
