import { isInside, type Parts, type Point, type Surface } from './surface'

export interface Spot {
  readonly x: number
  readonly y: number
}

/** Bresenham's algorithm, both ends included. */
export function line(from: Spot, to: Spot, value: number): Point[] {
  const points: Point[] = []
  const [width, height] = [Math.abs(to.x - from.x), -Math.abs(to.y - from.y)]
  const [stepX, stepY] = [Math.sign(to.x - from.x), Math.sign(to.y - from.y)]
  let { x, y } = from
  let error = width + height
  for (;;) {
    points.push({ x, y, value })
    if (x === to.x && y === to.y) return points
    const doubled = 2 * error
    if (doubled >= height) {
      error += height
      x += stepX
    }
    if (doubled <= width) {
      error += width
      y += stepY
    }
  }
}

const bounds = (one: Spot, other: Spot) => ({
  left: Math.min(one.x, other.x),
  right: Math.max(one.x, other.x),
  top: Math.min(one.y, other.y),
  bottom: Math.max(one.y, other.y),
})

export function rectangle(one: Spot, other: Spot, value: number, isFilled: boolean): Point[] {
  const { left, right, top, bottom } = bounds(one, other)
  const points: Point[] = []
  for (let y = top; y <= bottom; y++)
    for (let x = left; x <= right; x++)
      if (isFilled || x === left || x === right || y === top || y === bottom) points.push({ x, y, value })
  return points
}

export function ellipse(one: Spot, other: Spot, value: number): Point[] {
  const { left, right, top, bottom } = bounds(one, other)
  const [radiusX, radiusY] = [(right - left) / 2, (bottom - top) / 2]
  if (radiusX === 0 || radiusY === 0) return rectangle(one, other, value, true)
  const [centreX, centreY] = [left + radiusX, top + radiusY]
  const points: Point[] = []
  const across = (y: number) => radiusX * Math.sqrt(Math.max(0, 1 - ((y - centreY) / radiusY) ** 2))
  const down = (x: number) => radiusY * Math.sqrt(Math.max(0, 1 - ((x - centreX) / radiusX) ** 2))
  for (let y = top; y <= bottom; y++) {
    points.push({ x: Math.round(centreX - across(y)), y, value }, { x: Math.round(centreX + across(y)), y, value })
  }
  for (let x = left; x <= right; x++) {
    points.push({ x, y: Math.round(centreY - down(x)), value }, { x, y: Math.round(centreY + down(x)), value })
  }
  return points
}

export function fill(surface: Surface, parts: Parts, from: Spot, value: number): Point[] {
  if (!isInside(surface, from.x, from.y)) return []
  const old = surface.get(parts, from.x, from.y)
  const seen = new Uint8Array(surface.width * surface.height)
  const points: Point[] = []
  const open: Spot[] = [from]
  for (let spot = open.pop(); spot; spot = open.pop()) {
    const { x, y } = spot
    const at = y * surface.width + x
    if (!isInside(surface, x, y) || seen[at] === 1 || surface.get(parts, x, y) !== old) continue
    seen[at] = 1
    points.push({ x, y, value })
    open.push({ x: x - 1, y }, { x: x + 1, y }, { x, y: y - 1 }, { x, y: y + 1 })
  }
  return points
}
