import { formatAddress, formatByte } from './address'

export interface Instruction {
  readonly address: number
  readonly bytes: readonly number[]
  readonly text: string
  readonly length: number
  readonly undocumented: boolean
  /** For an absolute, relative or zero page operand; null for all others. */
  readonly target: number | null
}

export type AddressingMode =
  | 'imp'
  | 'acc'
  | 'imm'
  | 'zp'
  | 'zpx'
  | 'zpy'
  | 'abs'
  | 'abx'
  | 'aby'
  | 'ind'
  | 'izx'
  | 'izy'
  | 'rel'

export const modeLengths: Readonly<Record<AddressingMode, 1 | 2 | 3>> = {
  imp: 1,
  acc: 1,
  imm: 2,
  zp: 2,
  zpx: 2,
  zpy: 2,
  izx: 2,
  izy: 2,
  rel: 2,
  abs: 3,
  abx: 3,
  aby: 3,
  ind: 3,
}

/** Addressing modes by the low five bits of the opcode: the 6502's instructions stand in columns. */
const modeColumns: readonly AddressingMode[] = [
  ...([
    'imm',
    'izx',
    'imm',
    'izx',
    'zp',
    'zp',
    'zp',
    'zp',
    'imp',
    'imm',
    'acc',
    'imm',
    'abs',
    'abs',
    'abs',
    'abs',
  ] as const),
  ...([
    'rel',
    'izy',
    'imp',
    'izy',
    'zpx',
    'zpx',
    'zpx',
    'zpx',
    'imp',
    'aby',
    'imp',
    'aby',
    'abx',
    'abx',
    'abx',
    'abx',
  ] as const),
]

export const JSR = 0x20

const modeExceptions: ReadonlyMap<number, AddressingMode> = new Map<number, AddressingMode>([
  ...[0x00, 0x40, 0x60, 0x02, 0x22, 0x42, 0x62, 0x8a, 0xaa, 0xca, 0xea].map((opcode) => [opcode, 'imp'] as const),
  [JSR, 'abs'],
  [0x6c, 'ind'],
  ...[0x96, 0x97, 0xb6, 0xb7].map((opcode) => [opcode, 'zpy'] as const),
  ...[0x9e, 0x9f, 0xbe, 0xbf].map((opcode) => [opcode, 'aby'] as const),
])

/** One row for each high nibble. A `*` marks what MOS never documented. */
const mnemonics: readonly string[] = [
  'BRK ORA *JAM *SLO *NOP ORA ASL *SLO PHP ORA ASL *ANC *NOP ORA ASL *SLO',
  'BPL ORA *JAM *SLO *NOP ORA ASL *SLO CLC ORA *NOP *SLO *NOP ORA ASL *SLO',
  'JSR AND *JAM *RLA BIT AND ROL *RLA PLP AND ROL *ANC BIT AND ROL *RLA',
  'BMI AND *JAM *RLA *NOP AND ROL *RLA SEC AND *NOP *RLA *NOP AND ROL *RLA',
  'RTI EOR *JAM *SRE *NOP EOR LSR *SRE PHA EOR LSR *ALR JMP EOR LSR *SRE',
  'BVC EOR *JAM *SRE *NOP EOR LSR *SRE CLI EOR *NOP *SRE *NOP EOR LSR *SRE',
  'RTS ADC *JAM *RRA *NOP ADC ROR *RRA PLA ADC ROR *ARR JMP ADC ROR *RRA',
  'BVS ADC *JAM *RRA *NOP ADC ROR *RRA SEI ADC *NOP *RRA *NOP ADC ROR *RRA',
  '*NOP STA *NOP *SAX STY STA STX *SAX DEY *NOP TXA *ANE STY STA STX *SAX',
  'BCC STA *JAM *SHA STY STA STX *SAX TYA STA TXS *TAS *SHY STA *SHX *SHA',
  'LDY LDA LDX *LAX LDY LDA LDX *LAX TAY LDA TAX *LXA LDY LDA LDX *LAX',
  'BCS LDA *JAM *LAX LDY LDA LDX *LAX CLV LDA TSX *LAS LDY LDA LDX *LAX',
  'CPY CMP *NOP *DCP CPY CMP DEC *DCP INY CMP DEX *SBX CPY CMP DEC *DCP',
  'BNE CMP *JAM *DCP *NOP CMP DEC *DCP CLD CMP *NOP *DCP *NOP CMP DEC *DCP',
  'CPX SBC *NOP *ISC CPX SBC INC *ISC INX SBC NOP *SBC CPX SBC INC *ISC',
  'BEQ SBC *JAM *ISC *NOP SBC INC *ISC SED SBC *NOP *ISC *NOP SBC INC *ISC',
]

export interface Opcode {
  readonly mnemonic: string
  readonly mode: AddressingMode
  readonly undocumented: boolean
}

export const opcodes: readonly Opcode[] = mnemonics
  .flatMap((row) => row.split(' '))
  .map((name, opcode) => ({
    mnemonic: name.replace('*', ''),
    mode: modeExceptions.get(opcode) ?? modeColumns[opcode & 0x1f] ?? 'imp',
    undocumented: name.startsWith('*'),
  }))

export const addressingMode = (opcode: number): AddressingMode => opcodes[opcode]?.mode ?? 'imp'

export const instructionLength = (opcode: number): 1 | 2 | 3 => modeLengths[addressingMode(opcode)]

/** Asks `read` for 1 to 3 bytes; the address wraps at $FFFF. */
export function disassemble(read: (address: number) => number, address: number): Instruction {
  const byte = (offset: number): number => read((address + offset) & 0xffff) & 0xff
  const { mnemonic, mode, undocumented } = opcodes[byte(0)] ?? { mnemonic: 'JAM', mode: 'imp', undocumented: true }
  const length = modeLengths[mode]
  const bytes = Array.from({ length }, (_, offset) => byte(offset))
  const low = bytes[1] ?? 0
  const word = low | ((bytes[2] ?? 0) << 8)
  const branch = (address + 2 + (low < 0x80 ? low : low - 0x100)) & 0xffff
  const [operand, target] = describe(mode, low, word, branch)
  return { address, bytes, length, undocumented, target, text: operand === '' ? mnemonic : `${mnemonic} ${operand}` }
}

/** `JSR draw` for `JSR $0830`: the operand’s address by its name. @param name null for none */
export function nameOperand({ text, target }: Pick<Instruction, 'text' | 'target'>, name: string | null): string {
  if (target === null || name === null) return text
  return text.replace(/\$[0-9A-F]+/, () => name)
}

export function nameOperandIn(text: string, nameOf: (address: number) => string | undefined): string {
  const [, digits] = /^[A-Z]{3} \(?\$([0-9A-F]+)/.exec(text) ?? []
  if (digits === undefined) return text
  const target = Number.parseInt(digits, 16)
  return nameOperand({ text, target }, nameOf(target) ?? null)
}

function describe(
  mode: AddressingMode,
  low: number,
  word: number,
  branch: number,
): [operand: string, target: number | null] {
  switch (mode) {
    case 'imp':
      return ['', null]
    case 'acc':
      return ['A', null]
    case 'imm':
      return [`#${formatByte(low)}`, null]
    case 'zp':
      return [formatByte(low), low]
    case 'zpx':
      return [`${formatByte(low)},X`, low]
    case 'zpy':
      return [`${formatByte(low)},Y`, low]
    case 'izx':
      return [`(${formatByte(low)},X)`, low]
    case 'izy':
      return [`(${formatByte(low)}),Y`, low]
    case 'rel':
      return [formatAddress(branch), branch]
    case 'abs':
      return [formatAddress(word), word]
    case 'abx':
      return [`${formatAddress(word)},X`, word]
    case 'aby':
      return [`${formatAddress(word)},Y`, word]
    case 'ind':
      return [`(${formatAddress(word)})`, word]
  }
}
