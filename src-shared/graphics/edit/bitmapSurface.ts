import { SCREEN_COLUMNS, SCREEN_ROWS, type BitmapMode } from '../artwork'
import { isInside, type Parts, type Point, type Surface } from './surface'

export type FullCell = 'replace' | 'leave'

interface Slot {
  readonly bits: number
  readonly part: number
  readonly shift: number
}

const SCREEN = 1
const COLOURS = 2

const slotsOf = (mode: BitmapMode): readonly Slot[] =>
  mode === 'bitmap'
    ? [
        { bits: 0, part: SCREEN, shift: 0 },
        { bits: 1, part: SCREEN, shift: 4 },
      ]
    : [
        { bits: 1, part: SCREEN, shift: 4 },
        { bits: 2, part: SCREEN, shift: 0 },
        { bits: 3, part: COLOURS, shift: 0 },
      ]

const CELL_PIXELS = 64

class Cell {
  readonly #parts: Parts
  readonly #cell: number
  readonly #isMulticolour: boolean
  readonly #background: number | null
  readonly #slots: readonly Slot[]

  constructor(parts: Parts, cell: number, mode: BitmapMode, background: number) {
    this.#parts = parts
    this.#cell = cell
    this.#isMulticolour = mode === 'multicolourBitmap'
    this.#background = this.#isMulticolour ? background & 0x0f : null
    this.#slots = slotsOf(mode)
  }

  bitsAt(x: number, y: number): number {
    const byte = this.#parts[0]?.[this.#cell * 8 + y] ?? 0
    return this.#isMulticolour ? (byte >> (6 - (x & 6))) & 3 : (byte >> (7 - x)) & 1
  }

  setBits(x: number, y: number, bits: number): void {
    const [bitmap] = this.#parts
    if (!bitmap) return
    const at = this.#cell * 8 + y
    const [shift, mask] = this.#isMulticolour ? [6 - (x & 6), 3] : [7 - x, 1]
    bitmap[at] = ((bitmap[at] ?? 0) & ~(mask << shift)) | (bits << shift)
  }

  colourOf(bits: number): number {
    const slot = this.#slots.find((each) => each.bits === bits)
    return slot ? this.#colourIn(slot) : (this.#background ?? 0)
  }

  #colourIn({ part, shift }: Slot): number {
    return ((this.#parts[part]?.[this.#cell] ?? 0) >> shift) & 0x0f
  }

  #setColour({ part, shift }: Slot, colour: number): void {
    const bytes = this.#parts[part]
    if (bytes) bytes[this.#cell] = ((bytes[this.#cell] ?? 0) & ~(0x0f << shift)) | (colour << shift)
  }

  #bitsOf(colour: number): number | undefined {
    return colour === this.#background ? 0 : this.#slots.find((slot) => this.#colourIn(slot) === colour)?.bits
  }

  #uses(bits: number): number {
    let uses = 0
    for (let pixel = 0; pixel < CELL_PIXELS; pixel++) uses += Number(this.bitsAt(pixel & 7, pixel >> 3) === bits)
    return uses
  }

  coloursInUse(): Set<number> {
    const used = new Set<number>()
    for (let pixel = 0; pixel < CELL_PIXELS; pixel++) used.add(this.colourOf(this.bitsAt(pixel & 7, pixel >> 3)))
    return used
  }

  /** @param pixels colours by `y * 8 + x` */
  draw(pixels: ReadonlyMap<number, number>, whenFull: FullCell): void {
    const left = new Map(pixels)
    const put = (colour: number): boolean => {
      const bits = this.#bitsOf(colour)
      if (bits === undefined) return false
      for (const [pixel, wanted] of left) {
        if (wanted !== colour) continue
        this.setBits(pixel & 7, pixel >> 3, bits)
        left.delete(pixel)
      }
      return true
    }
    // Colours that have a slot come first, so that a slot which these pixels leave is free for the others.
    const drawn = mostFirst(pixels.values())
    const missing = drawn.filter((colour) => !put(colour))
    const given = new Set(drawn.filter((colour) => !missing.includes(colour)))
    for (const colour of missing) {
      const slot = this.#slotFor(left, given, whenFull)
      if (!slot) continue
      this.#setColour(slot, colour)
      given.add(colour)
      put(colour)
    }
  }

  #slotFor(left: ReadonlyMap<number, number>, given: ReadonlySet<number>, whenFull: FullCell): Slot | null {
    const candidates = this.#slots.map((slot) => ({ slot, uses: this.#usesBeside(slot.bits, left) }))
    const free = candidates.find(({ uses }) => uses === 0)
    if (free) return free.slot
    if (whenFull === 'leave') return null
    const old = candidates.filter(({ slot }) => !given.has(this.#colourIn(slot)))
    return old.toSorted((one, other) => one.uses - other.uses)[0]?.slot ?? null
  }

  #usesBeside(bits: number, left: ReadonlyMap<number, number>): number {
    const pixels = [...left.keys()].filter((pixel) => this.bitsAt(pixel & 7, pixel >> 3) === bits)
    return this.#uses(bits) - pixels.length
  }
}

function mostFirst(colours: Iterable<number>): number[] {
  const counts = new Map<number, number>()
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  return [...counts].toSorted(([, one], [, other]) => other - one).map(([colour]) => colour)
}

const cellAt = (x: number, y: number): number => (y >> 3) * SCREEN_COLUMNS + (x >> 3)

export function coloursOfCell(parts: Parts, mode: BitmapMode, background: number, x: number, y: number) {
  const cell = new Cell(parts, cellAt(x, y), mode, background)
  return { used: cell.coloursInUse(), limit: mode === 'bitmap' ? 2 : 4 }
}

/** Parts: 8,000 bytes of bitmap, 1,000 of screen, 1,000 of colour RAM. Values are colours, 0 to 15. */
export function bitmapSurface(mode: BitmapMode, background: number, whenFull: FullCell): Surface {
  const size = { width: SCREEN_COLUMNS * 8, height: SCREEN_ROWS * 8 }
  const cellOf = (parts: Parts, cell: number) => new Cell(parts, cell, mode, background)
  const pairs = mode === 'multicolourBitmap'
  return {
    ...size,
    clear: background & 0x0f,
    get: (parts, x, y) => {
      const cell = cellOf(parts, cellAt(x, y))
      return cell.colourOf(cell.bitsAt(x & 7, y & 7))
    },
    inverted: (parts, x, y) => {
      const cell = cellOf(parts, cellAt(x, y))
      return cell.colourOf(cell.bitsAt(x & 7, y & 7) ^ (pairs ? 3 : 1))
    },
    write: (parts, points) => {
      for (const [cell, pixels] of byCell(size, points, pairs)) cellOf(parts, cell).draw(pixels, whenFull)
    },
    placeOf: (x, y) => ({ part: 0, offset: cellAt(x, y) * 8 + (y & 7) }),
    widthAt: () => (pairs ? 2 : 1),
  }
}

function byCell(
  size: Pick<Surface, 'width' | 'height'>,
  points: readonly Point[],
  pairs: boolean,
): Map<number, Map<number, number>> {
  const cells = new Map<number, Map<number, number>>()
  for (const { x, y, value } of points) {
    if (!isInside(size, x, y)) continue
    const cell = cellAt(x, y)
    const pixels = cells.get(cell) ?? new Map<number, number>()
    cells.set(cell, pixels)
    const column = pairs ? x & 6 : x & 7
    pixels.set((y & 7) * 8 + column, value & 0x0f)
    if (pairs) pixels.set((y & 7) * 8 + column + 1, value & 0x0f)
  }
  return cells
}
