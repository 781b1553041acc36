import { distance, type PaletteColours } from './oklab'
import type { ScaledPhoto } from './scalePhoto'
import type { TargetShape } from './targetShape'

export interface PixelCosts {
  readonly cells: number
  readonly size: number
  readonly costs: Float32Array
}

const DITHER_SHARE = 0.5

/**
 * @param lab OKLab of the pixels
 * @param dithered the colours that the pixels would have without limits; null without dithering
 */
export function pixelCosts(
  photo: ScaledPhoto,
  lab: Float32Array,
  palette: PaletteColours,
  shape: TargetShape,
  dithered: Uint8Array | null,
): PixelCosts {
  const { columns, rows, cellWidth, cellHeight } = shape
  const [cells, size] = [columns * rows, cellWidth * cellHeight]
  const costs = new Float32Array(cells * size * 16)
  const share = dithered ? DITHER_SHARE : 0
  const apart = Float32Array.from({ length: 256 }, (_, n) =>
    distance(palette.lab, (n >> 4) * 3, palette.lab, (n & 15) * 3),
  )
  let to = 0
  for (let cell = 0; cell < cells; cell++)
    for (let p = 0; p < size; p++, to += 16) {
      const pixel = pixelAt(shape, cell, p)
      if (photo.clear[pixel] === 1) continue
      const wanted = (dithered?.[pixel] ?? 0) * 16
      for (let colour = 0; colour < 16; colour++)
        costs[to + colour] =
          distance(lab, pixel * 3, palette.lab, colour * 3) * (1 - share) + (apart[wanted + colour] ?? 0) * share
    }
  return { cells, size, costs }
}

export function pixelAt({ columns, cellWidth, cellHeight }: TargetShape, cell: number, p: number): number {
  const y = Math.floor(cell / columns) * cellHeight + Math.floor(p / cellWidth)
  return y * columns * cellWidth + (cell % columns) * cellWidth + (p % cellWidth)
}

export interface CellColours {
  readonly shared: readonly number[]
  readonly own: Uint8Array
}

export function searchColours(pixels: PixelCosts, shape: TargetShape, chosen: readonly (number | null)[]): CellColours {
  const shared = searchShared(pixels, shape, chosen)
  const own = new Uint8Array(pixels.cells * shape.ownBits.length)
  const room = new Float32Array(pixels.size)
  for (let cell = 0; cell < pixels.cells; cell++) {
    const list = ownColours(pixels, shape, cell, shared, room)
    improve(pixels, shape, cell, shared, list)
    own.set(list, cell * shape.ownBits.length)
  }
  return { shared, own }
}

/** This many cells, evenly spread, give nearly the same shared colours as all cells. */
const SEARCHED_CELLS = 300

/** Chosen one after the other; then each is exchanged once for a better one. */
function searchShared(pixels: PixelCosts, shape: TargetShape, chosen: readonly (number | null)[]): number[] {
  const shared: number[] = chosen.filter((colour) => colour !== null)
  if (!chosen.includes(null)) return shared
  const candidates = usedColours(pixels)
  const free: number[] = []
  const room = new Float32Array(pixels.size)
  const step = Math.max(1, Math.floor(pixels.cells / SEARCHED_CELLS))
  const costOf = (colours: readonly number[]): number => {
    let sum = 0
    for (let cell = 0; cell < pixels.cells; cell += step) {
      ownColours(pixels, shape, cell, colours, room)
      for (let p = 0; p < pixels.size; p++) sum += room[p] ?? 0
    }
    return sum
  }
  const best = (others: readonly number[]): number => {
    let [least, found] = [Infinity, 0]
    for (const colour of candidates) {
      if (others.includes(colour)) continue
      const cost = costOf([...others, colour])
      if (cost < least) [least, found] = [cost, colour]
    }
    return found
  }
  while (free.length < chosen.length - shared.length) free.push(best([...shared, ...free]))
  if (free.length > 1)
    for (let n = 0; n < free.length; n++) free[n] = best([...shared, ...free.filter((_, other) => other !== n)])
  return chosen.map((colour) => colour ?? free.shift() ?? 0)
}

const USED_SHARE = 0.002
const MIN_CANDIDATES = 4

function usedColours({ costs }: PixelCosts): number[] {
  const uses = new Array<number>(16).fill(0)
  for (let at = 0; at < costs.length; at += 16) {
    let [least, nearest] = [Infinity, 0]
    for (let colour = 0; colour < 16; colour++) {
      const cost = costs[at + colour] ?? 0
      if (cost < least) [least, nearest] = [cost, colour]
    }
    uses[nearest] = (uses[nearest] ?? 0) + 1
  }
  const needed = (costs.length / 16) * USED_SHARE
  return uses
    .map((count, colour) => ({ count, colour }))
    .sort((a, b) => b.count - a.count)
    .filter(({ count }, rank) => rank < MIN_CANDIDATES || count >= needed)
    .map(({ colour }) => colour)
}

function ownColours(
  { size, costs }: PixelCosts,
  shape: TargetShape,
  cell: number,
  shared: readonly number[],
  left: Float32Array,
): number[] {
  const first = cell * size * 16
  left.fill(Infinity)
  for (const colour of shared) take(costs, first, size, colour, left)
  const list: number[] = []
  for (let n = 0; n < shape.ownBits.length; n++) {
    let [least, best] = [Infinity, 0]
    for (let colour = 0; colour < shape.ownColours; colour++) {
      let sum = 0
      for (let p = 0, at = first + colour; p < size; p++, at += 16) {
        const [cost, now] = [costs[at] ?? 0, left[p] ?? 0]
        sum += cost < now ? cost : now
      }
      if (sum < least) [least, best] = [sum, colour]
    }
    list.push(best)
    take(costs, first, size, best, left)
  }
  return list
}

function take(costs: Float32Array, first: number, size: number, colour: number, left: Float32Array): void {
  for (let p = 0, at = first + colour; p < size; p++, at += 16) {
    const cost = costs[at] ?? 0
    if (cost < (left[p] ?? 0)) left[p] = cost
  }
}

const MAX_EXCHANGES = 3

function improve(
  { size, costs }: PixelCosts,
  shape: TargetShape,
  cell: number,
  shared: readonly number[],
  list: number[],
): void {
  if (list.length < 2) return
  const first = cell * size * 16
  const others = new Float32Array(size)
  for (let round = 0; round < MAX_EXCHANGES; round++) {
    let isBetter = false
    for (let n = 0; n < list.length; n++) {
      others.fill(Infinity)
      for (const colour of shared) take(costs, first, size, colour, others)
      list.forEach((colour, other) => other !== n && take(costs, first, size, colour, others))
      const best = cheapest(costs, first, others, shape.ownColours, list[n] ?? 0)
      isBetter ||= best !== list[n]
      list[n] = best
    }
    if (!isBetter) return
  }
}

function cheapest(costs: Float32Array, first: number, left: Float32Array, colours: number, now: number): number {
  const sumOf = (colour: number): number => {
    let sum = 0
    for (let p = 0, at = first + colour; p < left.length; p++, at += 16) {
      const [cost, other] = [costs[at] ?? 0, left[p] ?? 0]
      sum += cost < other ? cost : other
    }
    return sum
  }
  let best = now
  let least = sumOf(now)
  for (let colour = 0; colour < colours; colour++) {
    const sum = sumOf(colour)
    if (sum < least) [least, best] = [sum, colour]
  }
  return best
}
