/** The CPU's registers as people read them. */
import { formatAddress, formatByte } from '@shared/c64/address'
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

const flagLetters = 'NV-BDIZC'

export interface Flag {
  readonly letter: string
  readonly isSet: boolean
  readonly bit: number
}

/** The eight flags, the negative flag first. */
export const flagsOf = (value: number): readonly Flag[] =>
  Array.from(flagLetters, (letter, index) => ({ letter, bit: 7 - index, isSet: ((value >> (7 - index)) & 1) === 1 }))
