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

export const registerTitle = (name: string): string => titles[name] ?? name

/** Raster line and cycle as people count them, everything else in hexadecimal. */
export function registerText({ name, value, bits }: Register): string {
  if (name === 'LIN' || name === 'CYC') return String(value)
  return bits > 8 ? formatAddress(value) : formatByte(value)
}

/** Raster line and cycle follow from the machine, and cannot be set. */
export const isEditable = (name: string): boolean => name !== 'LIN' && name !== 'CYC'

const flagLetters = 'NV-BDIZC'

export interface Flag {
  readonly letter: string
  readonly isSet: boolean
  readonly bit: number
}

export const flagsOf = (value: number): readonly Flag[] =>
  Array.from(flagLetters, (letter, index) => ({ letter, bit: 7 - index, isSet: ((value >> (7 - index)) & 1) === 1 }))
