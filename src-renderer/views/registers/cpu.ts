/** The CPU's registers as people read them. */
import { formatAddress, formatByte } from '@shared/c64/address'
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
