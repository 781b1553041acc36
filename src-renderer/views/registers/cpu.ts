/** The CPU's registers as people read them. */
import { formatAddress, formatByte } from '@shared/c64/address'
import { disassemble, type Instruction } from '@shared/c64/disassembler'
import { builtInNames, type Names } from '@shared/c64/labels/names'
import { nameTarget } from '@shared/c64/labels/nameTarget'
import { fullNameOf } from '@shared/c64/labels/programLabel'
import { AppError } from '@shared/contract/errors'
import type { Register } from '@shared/contract/memory'

const titles: Readonly<Record<string, string>> = {
  PC: 'Program counter',
  A: 'Accumulator',
  X: 'Index register X',
  Y: 'Index register Y',
  SP: 'Stack pointer',
  FL: 'Flags',
  '00': '6510 port, direction',
  '01': '6510 port, data',
  LIN: 'Raster line',
  CYC: 'Cycle within the line',
}

/** What a register is, for its tooltip; its own name where it is not one of the C64's. */
export const registerTitle = (name: string): string => titles[name] ?? name

/** Raster position is shown as people count it; everything else in hexadecimal. */
export function registerText({ name, value, bits }: Register): string {
  if (name === 'LIN' || name === 'CYC') return String(value)
  return bits > 8 ? formatAddress(value) : formatByte(value)
}

/** Raster line and cycle are the machine's doing, and not to be set. */
export const isEditable = (name: string): boolean => name !== 'LIN' && name !== 'CYC'

/** A value as typed into a register: `$1f`, `1f` or `0x1f`; there, digits are hexadecimal as they are shown. Throws INVALID. */
export function parseRegister(text: string, { name, bits }: Pick<Register, 'name' | 'bits'>): number {
  const hint = `Write it in hexadecimal, $00 to ${bits > 8 ? '$FFFF' : '$FF'}.`
  const [, digits] = /^\s*(?:\$|0x)?([0-9a-f]{1,8})\s*$/i.exec(text) ?? []
  if (digits === undefined) throw new AppError('INVALID', `“${text.slice(0, 40)}” is no value for ${name}.`, { hint })
  const value = Number.parseInt(digits, 16)
  if (value >= 1 << bits)
    throw new AppError('INVALID', `${formatByte(value)} is too large for ${name}, which has ${bits} bits.`, { hint })
  return value
}

const flagLetters = 'NV-BDIZC'

export interface Flag {
  readonly letter: string
  readonly isSet: boolean
  readonly bit: number
}

/** The eight flags, the negative flag first. */
export const flagsOf = (value: number): readonly Flag[] =>
  Array.from(flagLetters, (letter, index) => ({ letter, bit: 7 - index, isSet: ((value >> (7 - index)) & 1) === 1 }))

export interface CodeLine extends Instruction {
  /** The program's labels that begin here. */
  readonly labels: readonly string[]
  /** What the operand's address is called, or where the program's label lies that stands for it; may be empty. */
  readonly comment: string
  readonly isNext: boolean
  /** False above the PC where the CPU was not seen: it may be data, or begin elsewhere. */
  readonly isCertain: boolean
}

/** How far the code reaches above the PC, and how far from its beginning the PC may move before it begins elsewhere. */
const BYTES_ABOVE = 96
const MAX_BYTES_ABOVE = 160
const LINES_BELOW = 24

/**
 * Code around the PC. While the PC moves within it the lines keep their place.
 * @param seen where instructions were seen to begin
 * @param anchor where the lines began before
 * @returns the lines, and the anchor for the next call
 */
export function codeAround(
  read: (address: number) => number,
  pc: number,
  seen: ReadonlySet<number>,
  anchor: number | null,
  names: Names = builtInNames,
): { lines: CodeLine[]; anchor: number } {
  const starts = new Set([...seen, pc])
  const isNear = anchor !== null && anchor <= pc && pc - anchor <= MAX_BYTES_ABOVE
  const begin = isNear ? anchor : startAbove(read, pc, starts)
  const above = decodeTo(read, begin, pc, starts)
  const below: Instruction[] = []
  for (let address = pc; below.length <= LINES_BELOW; address = (address + (below.at(-1)?.length ?? 1)) & 0xffff)
    below.push(decode(read, address, starts))
  const line = (instruction: Instruction, isBelow: boolean): CodeLine => ({
    ...instruction,
    ...nameTarget(instruction, names),
    labels: names.programLabelsAt(instruction.address).map(fullNameOf),
    isNext: isBelow && instruction.address === pc,
    isCertain: isBelow || starts.has(instruction.address),
  })
  return {
    lines: [...above.map((each) => line(each, false)), ...below.map((each) => line(each, true))],
    anchor: begin,
  }
}

/** Where code may begin so that its instructions meet those that were seen. */
function startAbove(read: (address: number) => number, pc: number, starts: ReadonlySet<number>): number {
  const furthest = Math.max(0, pc - BYTES_ABOVE)
  const isCut = ({ text }: Instruction) => text.startsWith(DATA)
  const choices = [furthest, furthest + 1, furthest + 2].filter((start) => start <= pc)
  return choices.find((start) => !decodeTo(read, start, pc, starts).some(isCut)) ?? furthest
}

function decodeTo(
  read: (address: number) => number,
  start: number,
  end: number,
  starts: ReadonlySet<number>,
): Instruction[] {
  const instructions: Instruction[] = []
  for (let address = start; address < end; address += instructions.at(-1)?.length ?? 1)
    instructions.push(decode(read, address, starts))
  return instructions
}

const DATA = '.byte'

/** The instruction at an address; bytes where an instruction was seen to begin in the middle of it. */
function decode(read: (address: number) => number, address: number, starts: ReadonlySet<number>): Instruction {
  const instruction = disassemble(read, address)
  const length = [1, 2].find((offset) => offset < instruction.length && starts.has((address + offset) & 0xffff))
  if (length === undefined) return instruction
  const bytes = instruction.bytes.slice(0, length)
  const text = `${DATA} ${bytes.map(formatByte).join(',')}`
  return { address, bytes, text, length, undocumented: false, target: null }
}
