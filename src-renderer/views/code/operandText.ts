import { formatAddress, formatByte } from '@shared/c64/address'
import { addressingMode, disassemble } from '@shared/c64/disassembler'
import type { Names } from '@shared/c64/labels/names'

type Read = (address: number) => number

/** JSR and both JMP name where the program goes, not a byte that they read. */
const jumps: readonly number[] = [0x20, 0x4c, 0x6c]

/** `border = $0E (14)`; null for none. */
export function operandText(
  read: Read,
  pc: number,
  { x, y }: { readonly x: number; readonly y: number },
  names: Pick<Names, 'at'>,
): string | null {
  const address = effectiveAddress(read, pc, x, y)
  if (address === null) return null
  const value = read(address)
  return `${names.at(address)?.name ?? formatAddress(address)} = ${formatByte(value)} (${value})`
}

/** Indices and pointers in the zero page wrap at $FF. */
function effectiveAddress(read: Read, pc: number, x: number, y: number): number | null {
  const { bytes } = disassemble(read, pc)
  const [opcode = 0, low = 0, high = 0] = bytes
  if (jumps.includes(opcode)) return null
  const word = low | (high << 8)
  const pointer = (at: number): number => read(at & 0xff) | (read((at + 1) & 0xff) << 8)
  switch (addressingMode(opcode)) {
    case 'zp':
      return low
    case 'zpx':
      return (low + x) & 0xff
    case 'zpy':
      return (low + y) & 0xff
    case 'abs':
      return word
    case 'abx':
      return (word + x) & 0xffff
    case 'aby':
      return (word + y) & 0xffff
    case 'izx':
      return pointer(low + x)
    case 'izy':
      return (pointer(low) + y) & 0xffff
    default:
      return null
  }
}
