import { AppError } from '../contract/errors'
import { formatAddress, parseAddress } from './address'
import { modeLengths, opcodes, type AddressingMode } from './disassembler'
import { builtInNames, type Names } from './labels/names'

const aliases: Readonly<Record<string, string>> = {
  ASO: 'SLO',
  LSE: 'SRE',
  DCM: 'DCP',
  ISB: 'ISC',
  INS: 'ISC',
  ASR: 'ALR',
  XAA: 'ANE',
  AXS: 'SBX',
  AHX: 'SHA',
  AXA: 'SHA',
  SHS: 'TAS',
  XAS: 'TAS',
  LAE: 'LAS',
  LAR: 'LAS',
  KIL: 'JAM',
  HLT: 'JAM',
}

const MAX_LENGTH = 80
const hint = 'Write one instruction: lda #$01, sta $d020,x, jmp ($0314), bne loop.'

/** Of several opcodes with the same spelling, a documented one, else the lowest. */
const byName: ReadonlyMap<string, ReadonlyMap<AddressingMode, number>> = (() => {
  const found = new Map<string, Map<AddressingMode, number>>()
  for (const isUndocumented of [false, true])
    for (const [code, { mnemonic, mode, undocumented }] of opcodes.entries()) {
      if (undocumented !== isUndocumented) continue
      const modes = found.get(mnemonic) ?? new Map<AddressingMode, number>()
      if (!modes.has(mode)) modes.set(mode, code)
      found.set(mnemonic, modes)
    }
  const lxa = found.get('LXA')?.get('imm')
  if (lxa !== undefined) found.get('LAX')?.set('imm', lxa)
  return found
})()

/** The first mode of each form fits a value below $0100 that is not written with four digits. */
const forms: readonly { readonly pattern: RegExp; readonly modes: readonly AddressingMode[] }[] = [
  { pattern: /^#(.*)$/, modes: ['imm'] },
  { pattern: /^\((.+),x\)$/i, modes: ['izx'] },
  { pattern: /^\((.+)\),y$/i, modes: ['izy'] },
  { pattern: /^\((.+)\)$/, modes: ['ind'] },
  { pattern: /^(.+),x$/i, modes: ['zpx', 'abx'] },
  { pattern: /^(.+),y$/i, modes: ['zpy', 'aby'] },
  { pattern: /^(.+)$/, modes: ['rel', 'zp', 'abs'] },
]

const zeroPage: ReadonlySet<AddressingMode> = new Set(['imm', 'zp', 'zpx', 'zpy', 'izx', 'izy'])

const invalid = (message: string): AppError => new AppError('INVALID', message, { hint })

/**
 * `lda #$01`, `bne loop`, `sta <table+2,x`: 1 to 3 bytes for an instruction at this address. Numbers are decimal unless
 * they say otherwise, as `$ff` and `%1010`; `<` and `>` take the low and high byte. Throws INVALID.
 */
export function assemble(text: string, address: number, names: Pick<Names, 'find'> = builtInNames): Uint8Array {
  if (text.length > MAX_LENGTH) throw invalid('The instruction is too long.')
  return encode(text, address, (written) => ({ value: valueOf(written, names), isLong: isLong(written) }))
}

export interface OperandValue {
  readonly value: number | null
  readonly isLong: boolean
}

/**
 * As {@link assemble}, with operands of any kind. An instruction with an unknown operand has the length of its form
 * with a 16-bit value. Throws INVALID, and what `read` throws.
 * @param read the operand without `#`, brackets and index
 */
export function encode(text: string, address: number, read: (written: string) => OperandValue): Uint8Array {
  const [, typed = '', rest = ''] = /^\s*(\S+)\s*(.*?)\s*$/s.exec(text) ?? []
  if (typed === '') throw invalid('There is no instruction.')
  const modes = modesOf(typed)
  if (!modes) throw invalid(`“${typed.slice(0, 20)}” is no instruction of the 6510.`)
  const mnemonic = typed.toUpperCase()
  const operand = withoutBlanks(rest)
  if (operand === '' || (/^a$/i.test(operand) && modes.has('acc'))) {
    const code = modes.get('acc') ?? (operand === '' ? modes.get('imp') : undefined)
    if (code === undefined) throw invalid(`${mnemonic} needs an operand.`)
    return Uint8Array.of(code)
  }
  const form = forms.find(({ pattern }) => pattern.test(operand))
  const possible = form?.modes.filter((mode) => modes.has(mode)) ?? []
  const isByte = possible.every((mode) => zeroPage.has(mode))
  const { value: known, isLong } = read(form?.pattern.exec(operand)?.[1] ?? '')
  const value = known ?? (isByte ? 0 : address)
  const wantsLong = isLong || (known === null && !isByte)
  const mode =
    possible.find((each) => each === 'rel' || (zeroPage.has(each) && value < 0x100 && !wantsLong)) ??
    possible.find((each) => !zeroPage.has(each))
  const code = mode === undefined ? undefined : modes.get(mode)
  if (mode === undefined || code === undefined) {
    if (possible.length > 0) throw invalid(`${mnemonic} takes one byte there, $00 to $FF, not ${formatAddress(value)}.`)
    throw invalid(`${mnemonic} does not take the operand “${operand.slice(0, 40)}”.`)
  }
  if (mode === 'rel') return Uint8Array.of(code, known === null ? 0 : distance(address, value))
  return modeLengths[mode] === 2 ? Uint8Array.of(code, value) : Uint8Array.of(code, value & 0xff, value >> 8)
}

export const isMnemonic = (word: string): boolean => modesOf(word) !== undefined

const modesOf = (typed: string): ReadonlyMap<AddressingMode, number> | undefined =>
  byName.get(aliases[typed.toUpperCase()] ?? typed.toUpperCase())

const withoutBlanks = (operand: string): string => operand.replaceAll(/("[^"]*"|'[^']*')|\s+/g, '$1')

/** `$00d0` means the 16-bit form. */
const isLong = (written: string): boolean => /^\$[0-9a-f]{3,4}$/i.test(written)

function valueOf(written: string, names: Pick<Names, 'find'>): number {
  const [, part = '', base = '', sign = '', offset = ''] = /^([<>]?)([^+-]*)(?:([+-])(.+))?$/.exec(written) ?? []
  if (base === '') throw invalid(`“${written.slice(0, 40)}” is no value.`)
  const value =
    offset === '' ? termOf(base, names) : termOf(base, names) + (sign === '-' ? -1 : 1) * termOf(offset, names)
  if (value < 0 || value > 0xffff) throw invalid(`“${written.slice(0, 40)}” is outside $0000 to $FFFF.`)
  return part === '<' ? value & 0xff : part === '>' ? value >> 8 : value
}

function termOf(term: string, names: Pick<Names, 'find'>): number {
  if (!/^(?:\$|0x|%|\d+$)/i.test(term) && names.find(term).length === 0)
    throw invalid(`“${term.slice(0, 40)}” is no number, and no label.`)
  return parseAddress(term, { ...builtInNames, find: names.find.bind(names) })
}

function distance(address: number, target: number): number {
  const from = (address + 2) & 0xffff
  const offset = ((target - from + 0x8000) & 0xffff) - 0x8000
  if (offset < -128 || offset > 127)
    throw new AppError('INVALID', `${formatAddress(target)} is ${Math.abs(offset)} bytes away: too far for a branch.`, {
      hint: 'A branch reaches 128 bytes back and 127 ahead. Jump over a jmp with the opposite branch.',
    })
  return offset & 0xff
}
