import { petsciiToText } from './petscii'
import { screenCodeToText } from './screenCodes'

export interface ByteReadings {
  readonly decimal: string
  readonly signed: string
  readonly binary: string
  /** In the set with capitals and graphics; a name where there is no common character. */
  readonly petscii: string
  readonly screenCode: string
}

export const byteReadings = (value: number): ByteReadings => ({
  decimal: String(value),
  signed: String(value > 0x7f ? value - 0x100 : value),
  binary: `%${value.toString(2).padStart(8, '0')}`,
  petscii: visible(petsciiToText(value, 'upper') ?? 'control code'),
  screenCode: visible(screenCodeToText(value, 'upper')),
})

/** Characters beyond U+FFFF are named, as no common font has them. */
const visible = (character: string): string => (character === ' ' ? 'space' : (glyphNames.get(character) ?? character))

const glyphNames: ReadonlyMap<string, string> = new Map(
  (
    [
      ...[2, 3, 4, 5, 6, 7].map((place) => [0x1fb70 + place - 2, `vertical line ${place} of 8`] as const),
      ...[2, 3, 4, 5, 6, 7].map((place) => [0x1fb76 + place - 2, `horizontal line ${place} of 8`] as const),
      [0x1fb7c, 'edge left and below'],
      [0x1fb7d, 'edge left and above'],
      [0x1fb7e, 'edge right and above'],
      [0x1fb7f, 'edge right and below'],
      [0x1fb82, 'upper quarter'],
      [0x1fb83, 'upper three eighths'],
      [0x1fb87, 'right quarter'],
      [0x1fb88, 'right three eighths'],
      [0x1fb8c, 'left half shaded'],
      [0x1fb8f, 'lower half shaded'],
      [0x1fb95, 'chequer'],
      [0x1fb98, 'stripes falling'],
      [0x1fb99, 'stripes rising'],
    ] as const
  ).map(([code, name]) => [String.fromCodePoint(code), name]),
)
