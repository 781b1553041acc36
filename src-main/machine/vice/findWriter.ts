/** VICE tells only that an instruction wrote, not which one. */
import { addressingMode, disassemble, type Instruction } from '@shared/c64/disassembler'

export interface Stopped {
  /** 64 KiB as the CPU sees them. */
  readonly memory: Uint8Array
  readonly pc: number
  readonly x: number
  readonly y: number
}

const writes = new Set('STA STX STY INC DEC ASL LSR ROL ROR SAX SLO RLA SRE RRA DCP ISC SHA SHX SHY TAS'.split(' '))

const NMI_VECTOR = 0xfffa
const IRQ_VECTOR = 0xfffe
const STACK_START = 0x0100
const STACK_END = 0x01ff

/**
 * The instruction ends where the CPU stands, unless it was a JSR or an interrupt followed: these write to the stack and
 * continue elsewhere.
 * @returns undefined where not certain
 */
export function findWriter(stopped: Stopped, start: number, end: number): Instruction | undefined {
  const { memory, pc } = stopped
  const word = (address: number) => (memory[address] ?? 0) | ((memory[address + 1] ?? 0) << 8)
  if (start <= STACK_END && end >= STACK_START) return undefined
  if (pc === word(NMI_VECTOR) || pc === word(IRQ_VECTOR)) return undefined
  const found = [2, 3].flatMap((length) => {
    const instruction = disassemble((address) => memory[address] ?? 0, (pc - length) & 0xffff)
    const written = instruction.length === length ? writtenAddress(instruction, stopped) : undefined
    return written !== undefined && start <= written && written <= end ? [instruction] : []
  })
  return found.length === 1 ? found[0] : undefined
}

/** Index registers are unchanged: no instruction that writes to memory changes them. */
function writtenAddress({ text, bytes, target }: Instruction, { memory, x, y }: Stopped): number | undefined {
  if (target === null || !writes.has(text.slice(0, 3))) return undefined
  const pointer = (at: number) => (memory[at & 0xff] ?? 0) | ((memory[(at + 1) & 0xff] ?? 0) << 8)
  switch (addressingMode(bytes[0] ?? 0)) {
    case 'zp':
    case 'abs':
      return target
    case 'zpx':
      return (target + x) & 0xff
    case 'zpy':
      return (target + y) & 0xff
    case 'abx':
      return (target + x) & 0xffff
    case 'aby':
      return (target + y) & 0xffff
    case 'izx':
      return pointer(target + x)
    case 'izy':
      return (pointer(target) + y) & 0xffff
    default:
      return undefined
  }
}
