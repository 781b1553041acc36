/**
 * The program that the debug stream shows: a loop of 6510 code at $C000, run bus cycle by bus cycle, so that every access is
 * known. It increments the bytes of pages $20 to $3F in turn, counts each page in $0400 and keeps its page in its own code;
 * its subroutine uses the stack.
 */

/** Bits 31 to 24 of an entry: PHI2, GAME#, EXROM#, BA, IRQ#, ROM#, NMI#, R/W#. */
const CPU_READ = 0xff000000
const CPU_WRITE = 0xfe000000
/** The CPU is stopped: BA is low. */
const CPU_STOPPED = 0xef000000

const START = 0xc000

// prettier-ignore
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
  /** Bus cycles that the program ran. */
  cycles = 0

  constructor(ram: Uint8Array) {
    this.#ram = ram
  }

  /** Puts the code in memory and starts it anew. */
  install(): void {
    this.#ram.set(CODE, START)
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
      if (this.#taken === this.#count) this.#instruction()
      const entry = this.#entries[this.#taken] ?? 0
      this.#taken += 1
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
