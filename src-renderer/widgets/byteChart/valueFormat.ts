import { formatByte } from '@shared/c64/address'

export type ValueFormat = 'hex' | 'decimal' | 'bits'

export function formatValue(byte: number, format: ValueFormat): string {
  switch (format) {
    case 'hex':
      return formatByte(byte)
    case 'decimal':
      return String(byte)
    case 'bits':
      return `%${byte.toString(2).padStart(8, '0')}`
  }
}
