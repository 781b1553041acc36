import type { Spot } from './shapes'
import type { Area, Parts, Point, Surface } from './surface'

function pointsOf({ x, y, width, height }: Area, value: (column: number, row: number) => number): Point[] {
  return Array.from({ length: width * height }, (_, at) => {
    const [column, row] = [at % width, Math.floor(at / width)]
    return { x: x + column, y: y + row, value: value(column, row) }
  })
}

const reader =
  (surface: Surface, parts: Parts, area: Area) =>
  (column: number, row: number): number =>
    surface.get(parts, area.x + column, area.y + row)

export function mirrored(surface: Surface, parts: Parts, area: Area, axis: 'x' | 'y'): Point[] {
  const get = reader(surface, parts, area)
  return pointsOf(area, (column, row) =>
    axis === 'x' ? get(area.width - 1 - column, row) : get(column, area.height - 1 - row),
  )
}

const wrapped = (value: number, length: number): number => ((value % length) + length) % length

/** What leaves on one side comes in on the other. A step is as wide as a pixel. */
export function shifted(surface: Surface, parts: Parts, area: Area, by: Spot): Point[] {
  const get = reader(surface, parts, area)
  const step = surface.widthAt(area.x, area.y)
  return pointsOf(area, (column, row) =>
    get(wrapped(column - by.x * step, area.width), wrapped(row - by.y, area.height)),
  )
}

export const inverted = (surface: Surface, parts: Parts, area: Area): Point[] =>
  pointsOf(area, (column, row) => surface.inverted(parts, area.x + column, area.y + row))

export const cleared = (surface: Surface, area: Area): Point[] => pointsOf(area, () => surface.clear)

export function exchanged(surface: Surface, parts: Parts, area: Area, one: number, other: number): Point[] {
  const get = reader(surface, parts, area)
  return pointsOf(area, (column, row) => {
    const value = get(column, row)
    return value === one ? other : value === other ? one : value
  })
}

export interface Rotation {
  readonly points: readonly Point[]
  readonly lost: number
}

/**
 * By 90 degrees clockwise about the centre. In an area that is not square, the square in the middle turns and the rest
 * is cleared.
 */
export function rotated(surface: Surface, parts: Parts, area: Area): Rotation {
  const get = reader(surface, parts, area)
  const side = Math.min(area.width, area.height)
  const [left, top] = [Math.floor((area.width - side) / 2), Math.floor((area.height - side) / 2)]
  const isIn = (column: number, row: number) => column >= left && column < left + side && row >= top && row < top + side
  let lost = 0
  const points = pointsOf(area, (column, row) => {
    if (isIn(column, row)) return get(left + row - top, top + side - 1 - (column - left))
    if (get(column, row) !== surface.clear) lost++
    return surface.clear
  })
  return { points, lost }
}

export interface Copied {
  readonly width: number
  readonly height: number
  readonly values: readonly number[]
}

export const copied = (surface: Surface, parts: Parts, area: Area): Copied => ({
  width: area.width,
  height: area.height,
  values: pointsOf(area, reader(surface, parts, area)).map(({ value }) => value),
})

export const pasted = ({ width, height, values }: Copied, at: Spot): Point[] =>
  pointsOf({ ...at, width, height }, (column, row) => values[row * width + column] ?? 0)
