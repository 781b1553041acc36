/** The C64 behind the stand-in for VICE's binary monitor. */

const OPERATION = { load: 1, store: 2, exec: 4 }

/** What the program did in a frame, for the checkpoints. */
export interface Access {
  readonly operation: number
  readonly address: number
}

export const REGISTERS = [
  { id: 0x03, bits: 16, name: 'PC' },
  { id: 0x00, bits: 8, name: 'A' },
  { id: 0x01, bits: 8, name: 'X' },
  { id: 0x02, bits: 8, name: 'Y' },
  { id: 0x04, bits: 8, name: 'SP' },
  { id: 0x37, bits: 8, name: '00' },
  { id: 0x38, bits: 8, name: '01' },
  { id: 0x05, bits: 8, name: 'FL' },
  { id: 0x35, bits: 16, name: 'LIN' },
  { id: 0x36, bits: 16, name: 'CYC' },
]
export const DRIVE_REGISTERS = REGISTERS.filter(({ id }) => id <= 0x05)
export const PC = 0x03
const ACCUMULATOR = 0x00
const STACK_POINTER = 0x04
const FLAGS = 0x05
const RASTER_LINE = 0x35
const RASTER_CYCLE = 0x36

export const BANK = { cpu: 0, ram: 1, rom: 2, io: 3, cart: 4 }
export const BANK_LIST = [['default', BANK.cpu], ...Object.entries(BANK)] as const

/** Where the KERNAL waits for a key. */
const IDLE_LOOP = [0xe5cd, 0xe5cf, 0xe5d1, 0xe5d4]
const RESET_VECTOR = 0xfce2
const KEY_QUEUE = 0x0277
const KEY_COUNT = 0xc6
const SCREEN = 0x0400
const FEED_LIMIT = 16384
/** The KERNAL's clock starts again at midnight: 24 hours of 1/60 s. */
const JIFFIES_A_DAY = 24 * 60 * 60 * 60

/** Bytes that stand where BASIC, KERNAL and the character ROM are: any that tell one address from another. */
const romByte = (address: number): number => (address * 37 + (address >> 8)) & 0xff

/** The mirrors of the chips' registers in $D000-$DFFF, as an offset into 4 KiB. */
function ioOffset(address: number): number {
  const offset = address & 0x0fff
  if (offset < 0x400) return offset & 0x3f
  if (offset < 0x800) return 0x400 | (offset & 0x1f)
  if (offset >= 0xc00 && offset < 0xe00) return offset & 0xf0f
  return offset
}

/**
 * The memory, registers and keyboard of a C64 that does little: it waits for keys, prints them, counts $A0-$A2 up and
 * writes one byte at $C000-$C0FF each frame.
 */
export class Machine {
  readonly ram = Buffer.alloc(0x10000)
  readonly io = Buffer.alloc(0x1000)
  readonly driveMemory = [1, 2, 3, 4].map(() => Buffer.alloc(0x10000))
  readonly driveRegisters = [1, 2, 3, 4].map(() => new Map<number, number>())
  readonly registers = new Map<number, number>()
  jammed = false
  #frames = 0
  #cursor = 0
  #feed = Buffer.alloc(0)

  constructor() {
    this.powerOn()
  }

  powerOn(): void {
    for (let address = 0; address < 0x10000; address++) this.ram[address] = address & 0x40 ? 0xff : 0x00
    this.io.fill(0)
    this.io[0x20] = 14
    this.io[0x21] = 6
    this.io.fill(14, 0x800, 0xc00)
    this.reset()
  }

  reset(): void {
    this.jammed = false
    this.ram.set([0x2f, 0x37])
    this.ram.fill(0, 0xa0, 0xa3)
    this.ram[KEY_COUNT] = 0
    this.ram.fill(0x20, SCREEN, SCREEN + 1000)
    this.#cursor = 0
    this.#feed = Buffer.alloc(0)
    this.registers.clear()
    this.registers.set(STACK_POINTER, 0xf3).set(FLAGS, 0x22).set(PC, RESET_VECTOR)
  }

  register(id: number): number {
    if (id === 0x37 || id === 0x38) return this.ram[id - 0x37] ?? 0
    return this.registers.get(id) ?? 0
  }

  setRegister(id: number, value: number): void {
    if (id === 0x37 || id === 0x38) this.ram[id - 0x37] = value
    else this.registers.set(id, value)
    if (id === PC) this.jammed = false
  }

  /** What `bank` shows at `address`. Without a cartridge the banks `io` and `cart` show RAM where one would be. */
  read(bank: number, address: number, sideEffects: boolean): number {
    switch (this.#seen(bank, address)) {
      case 'io':
        return this.#readIo(address, sideEffects)
      case 'rom':
        return address === 0xfffc ? RESET_VECTOR & 0xff : address === 0xfffd ? RESET_VECTOR >> 8 : romByte(address)
      case 'ram':
        return this.ram[address] ?? 0
    }
  }

  /** Writes to where `bank` shows ROM go under it through the CPU's bank, nowhere through `rom`. */
  write(bank: number, address: number, value: number): void {
    const seen = this.#seen(bank, address)
    if (seen === 'io') this.io[ioOffset(address)] = value
    else if (seen === 'ram' || bank === BANK.cpu) this.ram[address] = value
  }

  #seen(bank: number, address: number): 'ram' | 'rom' | 'io' {
    const basic = address >= 0xa000 && address < 0xc000
    const middle = address >= 0xd000 && address < 0xe000
    const kernal = address >= 0xe000
    if (bank === BANK.rom) return basic || middle || kernal ? 'rom' : 'ram'
    if (bank === BANK.io) return middle ? 'io' : 'ram'
    if (bank !== BANK.cpu) return 'ram'
    const port = this.ram[1] ?? 0
    if (basic) return (port & 3) === 3 ? 'rom' : 'ram'
    if (kernal) return (port & 2) !== 0 ? 'rom' : 'ram'
    if (middle) return (port & 3) === 0 ? 'ram' : (port & 4) !== 0 ? 'io' : 'rom'
    return 'ram'
  }

  #readIo(address: number, sideEffects: boolean): number {
    const offset = ioOffset(address)
    const line = this.register(RASTER_LINE)
    if (offset === 0x11) return ((this.io[0x11] ?? 0) & 0x7f) | ((line & 0x100) >> 1)
    if (offset === 0x12) return line & 0xff
    const value = this.io[offset] ?? 0
    // The upper half of a byte of colour RAM is not connected.
    if (offset >= 0x800 && offset < 0xc00) return 0xf0 | (value & 0x0f)
    if (sideEffects && [0x1e, 0x1f, 0xc0d, 0xd0d].includes(offset)) this.io[offset] = 0
    return value
  }

  /** Puts `keys` in the emulator's queue; false when it is full. */
  feed(keys: Buffer): boolean {
    if (this.#feed.length + keys.length > FEED_LIMIT) return false
    this.#feed = Buffer.concat([this.#feed, keys])
    return true
  }

  /** Runs one frame; a jammed CPU does nothing. */
  frame(): Access[] {
    this.#frames += 1
    this.registers.set(RASTER_LINE, 0)
    this.registers.set(RASTER_CYCLE, this.#frames % 63)
    if (this.jammed) return []
    const stored = [...this.#countJiffy(), ...this.#type()]
    const changing = 0xc000 + (this.#frames & 0xff)
    this.ram[changing] = (this.#frames * 5) & 0xff
    stored.push(changing)
    const pc = this.register(PC)
    if (IDLE_LOOP.includes(pc) || pc === RESET_VECTOR)
      this.registers.set(PC, IDLE_LOOP[this.#frames % IDLE_LOOP.length] ?? RESET_VECTOR)
    this.registers.set(ACCUMULATOR, this.ram[KEY_COUNT] ?? 0)
    return [
      ...[...new Set([pc, ...IDLE_LOOP])].map((address) => ({ operation: OPERATION.exec, address })),
      { operation: OPERATION.load, address: KEY_COUNT },
      ...stored.map((address) => ({ operation: OPERATION.store, address })),
    ]
  }

  /** Goes on by `count` instructions. */
  step(count: number): void {
    for (let done = 0; done < count; done++) {
      const pc = this.register(PC)
      const at = IDLE_LOOP.indexOf(pc)
      this.registers.set(PC, at < 0 ? (pc + 1) & 0xffff : (IDLE_LOOP[(at + 1) % IDLE_LOOP.length] ?? pc))
    }
  }

  /** The clock in $A0-$A2, its lowest byte last; returns the addresses written. */
  #countJiffy(): number[] {
    const before = this.ram.readUIntBE(0xa0, 3)
    const after = (before + 1) % JIFFIES_A_DAY
    this.ram.writeUIntBE(after, 0xa0, 3)
    return [0xa2, ...(after >> 8 !== before >> 8 ? [0xa1] : []), ...(after >> 16 !== before >> 16 ? [0xa0] : [])]
  }

  /** Prints what is in the KERNAL's key queue, then refills it from the emulator's; returns the addresses written. */
  #type(): number[] {
    const written: number[] = []
    for (let index = 0; index < (this.ram[KEY_COUNT] ?? 0); index++) {
      const key = this.ram[KEY_QUEUE + index] ?? 0
      if (key === 0x0d) {
        this.#cursor = (Math.floor(this.#cursor / 40) * 40 + 40) % 1000
        continue
      }
      const address = SCREEN + this.#cursor
      this.ram[address] = key & 0x3f
      written.push(address)
      this.#cursor = (this.#cursor + 1) % 1000
    }
    const next = this.#feed.subarray(0, 10)
    this.#feed = this.#feed.subarray(10)
    this.ram.set(next, KEY_QUEUE)
    this.ram[KEY_COUNT] = next.length
    return written
  }
}

/** The palette that 0x91 answers with. */
export const COLOURS = [
  0x000000, 0xffffff, 0x68372b, 0x70a4b2, 0x6f3d86, 0x588d43, 0x352879, 0xb8c76f, 0x6f4f25, 0x433900, 0x9a6759,
  0x444444, 0x6c6c6c, 0x9ad284, 0x6c5eb5, 0x959595,
]

export const SIZES = {
  pal: { width: 504, height: 312, left: 136, top: 51 },
  ntsc: { width: 520, height: 263, left: 136, top: 31 },
}

/** Colour indices of a whole frame: the border, and in the window a column pattern of each character's code in its colour. */
export function drawDisplay(machine: Machine, standard: 'pal' | 'ntsc'): Buffer {
  const { width, height, left, top } = SIZES[standard]
  const pixels = Buffer.alloc(width * height, (machine.io[0x20] ?? 0) & 15)
  const background = (machine.io[0x21] ?? 0) & 15
  for (let y = 0; y < 200; y++) {
    for (let x = 0; x < 320; x++) {
      const cell = (y >> 3) * 40 + (x >> 3)
      const code = machine.ram[SCREEN + cell] ?? 0x20
      const set = code !== 0x20 && ((code >> (x & 7)) & 1) === 1
      pixels[(top + y) * width + left + x] = set ? (machine.io[0x800 + cell] ?? 0) & 15 : background
    }
  }
  return pixels
}
