/** The 6510's port at $0000 and $0001, bit by bit as far as the instructions tell: the bus does not show it. */
import { opcodes } from '@shared/c64/disassembler'
import type { CpuAccount } from './cpuAccount'

/** Only the bits in `known` are known; the others are 0. */
interface Bits {
  readonly value: number
  readonly known: number
}
type RegisterName = 'a' | 'x' | 'y'

const unknown: Bits = { value: 0, known: 0 }
const LORAM = 1
const HIRAM = 2
const CHAREN = 4
const BANKING = LORAM | HIRAM | CHAREN

/** These change neither A, X, Y nor memory below $0002 with a value that could be known. */
const changeNothing: ReadonlySet<string> = new Set(
  (
    'NOP CMP CPX CPY BIT CLC SEC CLI SEI CLV CLD SED PHA PHP PLP TXS JMP JSR RTS RTI BRK ' +
    'BPL BMI BVC BVS BCC BCS BNE BEQ'
  ).split(' '),
)
const stored: Readonly<Record<string, RegisterName>> = { STA: 'a', STX: 'x', STY: 'y' }
const loaded: Readonly<Record<string, readonly RegisterName[]>> = {
  LDA: ['a'],
  LDX: ['x'],
  LDY: ['y'],
  LAX: ['a', 'x'],
}
const moved: Readonly<Record<string, readonly [to: RegisterName, from: RegisterName]>> = {
  TAX: ['x', 'a'],
  TAY: ['y', 'a'],
  TXA: ['a', 'x'],
  TYA: ['a', 'y'],
}

const matters = Uint8Array.from(opcodes, ({ mnemonic }) => (changeNothing.has(mnemonic) ? 0 : 1))

export class CpuPort {
  #registers: Record<RegisterName, Bits> = { a: unknown, x: unknown, y: unknown }
  #port: [direction: Bits, latch: Bits] = [unknown, unknown]

  get target(): 'io' | 'ram' | null {
    const { value, known } = this.#pins
    const low = known & ~value
    if ((value & CHAREN) !== 0 && (value & (LORAM | HIRAM)) !== 0) return 'io'
    return (low & CHAREN) !== 0 || (low & (LORAM | HIRAM)) === (LORAM | HIRAM) ? 'ram' : null
  }

  /** After missed instructions the registers are unknown. The port changes only by writes, which the bus shows. */
  forgetRegisters(): void {
    this.#registers = { a: unknown, x: unknown, y: unknown }
  }

  forgetByte(address: number): void {
    this.#port = address === 0 ? [unknown, this.#port[1]] : [this.#port[0], unknown]
  }

  forgetAll(): void {
    this.forgetRegisters()
    this.#port = [unknown, unknown]
  }

  completed({ opcode, isInterrupt, data, address }: CpuAccount): void {
    if (isInterrupt || matters[opcode] !== 1) return
    const { mnemonic, mode } = opcodes[opcode] ?? { mnemonic: 'JAM', mode: 'imp' }
    const store = stored[mnemonic]
    if (store) {
      if (address < 2) this.#store(address, this.#registers[store])
      return
    }
    const read = mode !== 'imm' && address < 2 ? this.#read(address) : { value: data, known: 0xff }
    const registers = this.#registers
    const move = moved[mnemonic]
    const load = loaded[mnemonic]
    if (move) registers[move[0]] = registers[move[1]]
    else if (load) for (const name of load) registers[name] = read
    else if (mnemonic === 'PLA') registers.a = { value: data, known: 0xff }
    else if (mnemonic === 'AND') registers.a = and(registers.a, read)
    else if (mnemonic === 'ORA') registers.a = not(and(not(registers.a), not(read)))
    else this.#forgetChanged(mode, address)
  }

  #forgetChanged(mode: string, address: number): void {
    this.forgetRegisters()
    if (mode !== 'imp' && mode !== 'acc' && mode !== 'imm' && address < 2) this.forgetByte(address)
  }

  #store(address: number, bits: Bits): void {
    this.#port = address === 0 ? [bits, this.#port[1]] : [this.#port[0], bits]
  }

  #read(address: number): Bits {
    return address === 0 ? this.#port[0] : this.#pins
  }

  /** Inputs are pulled up. */
  get #pins(): Bits {
    const [direction, latch] = this.#port
    const pulledUp = direction.known & ~direction.value
    const value = (latch.value | pulledUp) & BANKING
    const low = latch.known & ~latch.value & direction.value & BANKING
    return { value, known: value | low }
  }
}

const and = (one: Bits, other: Bits): Bits => ({
  value: one.value & other.value,
  known: (one.known & other.known) | (one.known & ~one.value) | (other.known & ~other.value),
})
const not = ({ value, known }: Bits): Bits => ({ value: known & ~value & 0xff, known })
