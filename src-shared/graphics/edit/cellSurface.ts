import type { TextMode } from '../artwork'
import { isInside, type Surface } from './surface'

export const cellValue = (code: number, colour: number): number => (code & 0xff) | ((colour & 0x0f) << 8)
export const codeOfCell = (value: number): number => value & 0xff
export const colourOfCell = (value: number): number => (value >> 8) & 0x0f

const SPACE = 0x20
const REVERSE = 0x80

export const kindBitsOf = (mode: TextMode): number => (mode === 'extendedText' ? 0xc0 : REVERSE)

export const nextKindOf = (mode: TextMode, code: number): number =>
  (code + (mode === 'extendedText' ? 0x40 : REVERSE)) & 0xff

export type CellBrush = 'both' | 'character' | 'colour'

const masks: Readonly<Record<CellBrush, number>> = { both: 0xfff, character: 0x0ff, colour: 0xf00 }

/** Parts: the codes, and as many colour RAM values, whose upper nibbles are not changed. */
export function cellSurface(brush: CellBrush, clearColour: number, size: Pick<Surface, 'width' | 'height'>): Surface {
  const { width } = size
  const get: Surface['get'] = ([codes, colours], x, y) =>
    cellValue(codes?.[y * width + x] ?? 0, colours?.[y * width + x] ?? 0)
  return {
    ...size,
    clear: cellValue(SPACE, clearColour),
    get,
    inverted: (parts, x, y) => get(parts, x, y) ^ REVERSE,
    write: (parts, points) => {
      const [codes, colours] = parts
      const mask = masks[brush]
      for (const { x, y, value } of points) {
        if (!codes || !colours || !isInside(size, x, y)) continue
        const at = y * width + x
        const cell = (get(parts, x, y) & ~mask) | (value & mask)
        codes[at] = codeOfCell(cell)
        colours[at] = ((colours[at] ?? 0) & 0xf0) | colourOfCell(cell)
      }
    },
    placeOf: (x, y) => ({ part: brush === 'colour' ? 1 : 0, offset: y * width + x }),
    widthAt: () => 1,
  }
}
