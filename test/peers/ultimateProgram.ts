/**
 * The program that the debug stream shows: a loop of 6510 code at $C000, run bus cycle by bus cycle, so that every access is
 * known. It increments the bytes of pages $20 to $3F in turn, counts each page in $0400 and keeps its page in its own code;
 * its subroutine uses the stack. On a busy bus it is interrupted, the VIC-II takes cycles of bad lines, and DMA shows as in
 * `slot_master_v4.vhd` of the device's open FPGA sources: $FFFF while the CPU stands, and the accesses between.
 */

/** Bits 31 to 24 of an entry: PHI2, GAME#, EXROM#, BA, IRQ#, ROM#, NMI#, R/W#. */
const CPU_READ = 0xff000000
const CPU_WRITE = 0xfe000000
/** The CPU is stopped: BA is low. */
const CPU_STOPPED = 0xef000000
const BUS_AVAILABLE = 0x10000000
const IS_READ = 0x01000000
/** The VIC-II reads a row of the screen. */
const VIC_READ = 0xef000400

const START = 0xc000
const HANDLER = 0xc040
/** Cycles from one bad line to the next, and how long each takes: three in which writes go on, and a row of 40. */
const BAD_LINE_PERIOD = 8 * 63
const BAD_LINE = 43
/** Cycles from one interrupt to the next. */
const IRQ_PERIOD = 2_003
/** The cartridge waits so long before and after its accesses. */
const DMA_IDLE = 6
const DMA_IDLE_ENTRY = 0xff00ffff

// oxfmt-ignore
const CODE = [
  0xfe, 0x00, 0x20, // C000 loop INC $2000,X
  0xe8,             // C003      INX
  0xd0, 0xfa,       // C004      BNE loop
  0x20, 0x0c, 0xc0, // C006      JSR page
  0x4c, 0x00, 0xc0, // C009      JMP loop
  0xee, 0x00, 0x04, // C00C page INC $0400
  0xee, 0x02, 0xc0, // C00F      INC loop+2
  0xad, 0x02, 0xc0, // C012      LDA loop+2
  0x29, 0x1f,       // C015      AND #$1F
  0x09, 0x20,       // C017      ORA #$20
  0x8d, 0x02, 0xc0, // C019      STA loop+2
  0x60,             // C01C      RTS
]

// oxfmt-ignore
const HANDLER_CODE = [
  0xee, 0x01, 0x04, // C040      INC $0401
  0x40,             // C043      RTI
]

export class Program {
  readonly #ram: Uint8Array
  /** Entries of the instruction that was begun last, and how many of them are out already. */
  readonly #entries = new Uint32Array(8)
  #count = 0
  #taken = 0
  #pc = START
  #a = 0
  #x = 0
  #sp = 0xff
  #zero = false
  /** Whether there are interrupts, bad lines and DMA on the bus. */
  isBusy = false
  #sinceInterrupt = 0
  #sinceBadLine = 0
  #dma: number[] = []
  /** Bus cycles that the program ran. */
  cycles = 0

  constructor(ram: Uint8Array) {
    this.#ram = ram
  }

  /** Puts the code in memory and starts it anew. */
  install(): void {
    this.#ram.set(CODE, START)
    this.#ram.set(HANDLER_CODE, HANDLER)
    this.#ram.set([HANDLER & 0xff, HANDLER >> 8], 0xfffe)
    this.#pc = START
    this.#a = 0
    this.#x = 0
    this.#sp = 0xff
    this.#zero = false
    this.#count = 0
    this.#taken = 0
  }

  /** Runs `count` bus cycles; entry n goes to `into` (little endian) at `offset + n * stride` when it is given. */
  run(count: number, into?: DataView, offset = 0, stride = 4): void {
    for (let n = 0; n < count; n += 1) {
      if (this.#taken === this.#count) this.#next()
      const next = this.#entries[this.#taken] ?? 0
      const foreign = this.isBusy ? this.#onBusyBus(next) : null
      const isHeld = this.isBusy && foreign === null && this.#isHeld
      const entry = foreign ?? (isHeld ? (next & ~BUS_AVAILABLE) >>> 0 : next)
      if (foreign === null) this.#taken += 1
      // A write reaches memory in its own cycle: half an instruction is never ahead of the stream.
      if ((entry & 0x01000000) === 0) this.#ram[entry & 0xffff] = (entry >>> 16) & 0xff
      into?.setUint32(offset + n * stride, entry, true)
    }
    this.cycles += count
  }

  /** Entries of a CPU that does not run, for `count` cycles. */
  stopped(count: number, into: DataView, offset = 0, stride = 4): void {
    const entry = (CPU_STOPPED | ((this.#ram[this.#pc] ?? 0) << 16) | this.#pc) >>> 0
    for (let n = 0; n < count; n += 1) into.setUint32(offset + n * stride, entry, true)
  }

  /** DMA that has happened shows on a busy bus. */
  dma(accesses: readonly { address: number; data: number; isWrite: boolean }[]): void {
    if (!this.isBusy) return
    const idle = Array<number>(DMA_IDLE).fill(DMA_IDLE_ENTRY)
    const entries = accesses.map(({ address, data, isWrite }) => {
      return ((isWrite ? CPU_WRITE : CPU_READ) | (data << 16) | address) >>> 0
    })
    this.#dma.push(...idle, ...entries, ...idle)
  }

  /** What the bus shows in the place of the CPU's next cycle; null for that itself: its reads wait, its writes go on. */
  #onBusyBus(next: number): number | null {
    this.#sinceBadLine = (this.#sinceBadLine + 1) % BAD_LINE_PERIOD
    this.#sinceInterrupt += 1
    if ((next & IS_READ) === 0) return null
    return this.#isHeld ? VIC_READ : (this.#dma.shift() ?? null)
  }

  get #isHeld(): boolean {
    return this.#sinceBadLine < BAD_LINE
  }

  #next(): void {
    if (!this.isBusy || this.#sinceInterrupt < IRQ_PERIOD) {
      this.#instruction()
      return
    }
    this.#sinceInterrupt = 0
    this.#count = 0
    this.#taken = 0
    this.#read(this.#pc)
    this.#read(this.#pc)
    this.#push(this.#pc >> 8)
    this.#push(this.#pc & 0xff)
    this.#push(0x20 | (this.#zero ? 2 : 0))
    this.#pc = this.#read(0xfffe) | (this.#read(0xffff) << 8)
  }

  #push(data: number): void {
    this.#put(CPU_WRITE, 0x100 | this.#sp, data)
    this.#sp = (this.#sp - 1) & 0xff
  }

  #pull(): number {
    this.#sp = (this.#sp + 1) & 0xff
    return this.#read(0x100 | this.#sp)
  }

  #put(high: number, address: number, data: number): number {
    this.#entries[this.#count] = (high | (data << 16) | address) >>> 0
    this.#count += 1
    return data
  }

  #read(address: number): number {
    return this.#put(CPU_READ, address, this.#ram[address] ?? 0)
  }

  #fetch(): number {
    const byte = this.#read(this.#pc)
    this.#pc = (this.#pc + 1) & 0xffff
    return byte
  }

  #fetchWord(): number {
    return this.#fetch() | (this.#fetch() << 8)
  }

  #increment(address: number): void {
    const old = this.#read(address)
    this.#put(CPU_WRITE, address, old)
    this.#zero = this.#put(CPU_WRITE, address, (old + 1) & 0xff) === 0
  }

  #instruction(): void {
    this.#count = 0
    this.#taken = 0
    const opcode = this.#fetch()
    switch (opcode) {
      case 0xfe: {
        const base = this.#fetchWord()
        this.#read((base & 0xff00) | ((base + this.#x) & 0xff))
        this.#increment((base + this.#x) & 0xffff)
        break
      }
      case 0xee:
        this.#increment(this.#fetchWord())
        break
      case 0xe8:
        this.#read(this.#pc)
        this.#x = (this.#x + 1) & 0xff
        this.#zero = this.#x === 0
        break
      case 0xd0: {
        const distance = (this.#fetch() << 24) >> 24
        if (this.#zero) break
        this.#read(this.#pc)
        this.#pc = (this.#pc + distance) & 0xffff
        break
      }
      case 0x20: {
        const low = this.#fetch()
        this.#read(0x100 | this.#sp)
        this.#put(CPU_WRITE, 0x100 | this.#sp, this.#pc >> 8)
        this.#put(CPU_WRITE, 0x100 | ((this.#sp - 1) & 0xff), this.#pc & 0xff)
        this.#sp = (this.#sp - 2) & 0xff
        this.#pc = low | (this.#read(this.#pc) << 8)
        break
      }
      case 0x60: {
        this.#read(this.#pc)
        this.#read(0x100 | this.#sp)
        const low = this.#read(0x100 | ((this.#sp + 1) & 0xff))
        const address = low | (this.#read(0x100 | ((this.#sp + 2) & 0xff)) << 8)
        this.#sp = (this.#sp + 2) & 0xff
        this.#read(address)
        this.#pc = (address + 1) & 0xffff
        break
      }
      case 0x40: {
        this.#read(this.#pc)
        this.#read(0x100 | this.#sp)
        this.#zero = (this.#pull() & 2) !== 0
        const low = this.#pull()
        this.#pc = low | (this.#pull() << 8)
        break
      }
      case 0x4c:
        this.#pc = this.#fetchWord()
        break
      case 0xad:
        this.#a = this.#read(this.#fetchWord())
        break
      case 0x8d:
        this.#put(CPU_WRITE, this.#fetchWord(), this.#a)
        break
      case 0x29:
        this.#a &= this.#fetch()
        break
      case 0x09:
        this.#a |= this.#fetch()
        break
      default:
        // Somebody wrote over the code: the CPU jams, reading on and on.
        this.#pc = (this.#pc - 1) & 0xffff
    }
  }
}
