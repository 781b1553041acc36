import { petsciiToText } from '../petscii'

export const valueFormats = ['hex', 'decimal', 'binary', 'signed', 'petscii'] as const
export type ValueFormat = (typeof valueFormats)[number]

export function formatValue(value: number, format: ValueFormat): string {
  const bits = value >= 0 && value <= 0xff ? 8 : value >= 0 && value <= 0xffff ? 16 : 32
  switch (format) {
    case 'hex':
      return `$${(value >>> 0)
        .toString(16)
        .toUpperCase()
        .padStart(bits / 4, '0')}`
    case 'decimal':
      return String(value)
    case 'binary':
      return `%${(value >>> 0).toString(2).padStart(bits, '0')}`
    case 'signed':
      return String((value << (32 - bits)) >> (32 - bits))
    case 'petscii':
      return bits === 8 ? `“${petsciiToText(value, 'upper') ?? '·'}”` : formatValue(value, 'hex')
  }
}
