import type { Program } from './prg'

type Extent = Pick<Program, 'loadAddress' | 'end'>

/** Below lie the zero page with CHRGET, the stack and BASIC's own input line. */
const CODE_START = 0x0300
/** The high byte of the line that BASIC runs; $FF at the prompt. */
const CURRENT_LINE = 0x3a
const AT_PROMPT = 0xff
export const TEXT_POINTER = 0x7a

export const isCodeOf = ({ loadAddress, end }: Extent, address: number): boolean =>
  address >= CODE_START && address >= loadAddress && address < end

export function runsBasicOf(program: Extent, byte: (address: number) => number): boolean {
  if (byte(CURRENT_LINE) === AT_PROMPT) return false
  return isCodeOf(program, byte(TEXT_POINTER) | (byte(TEXT_POINTER + 1) << 8))
}
