/** Ways of edges around the boxes between their ends. All boxes stand in the same columns, so the gaps between these are free. */
import { GAP_X_PX, GAP_Y_PX, type Size } from './layered'

export interface Band {
  readonly lane: number | null
  readonly tops: number[]
}

export interface Span {
  readonly top: number
  readonly bottom: number
}

interface Plane extends Size {
  readonly x: Float32Array
  readonly y: Float32Array
  readonly widths: Float32Array
  readonly heights: Float32Array
  readonly shown: Int32Array
  readonly bandOf: Int32Array
  readonly bands: readonly Band[]
  readonly spans: readonly Span[]
}

/** With more edges a way around could not be seen. */
const MAX_ROUTED = 1_000
const RAIL_PX = 10
const LANE_END_PX = 24
const CLEARANCE_PX = GAP_Y_PX / 2
const CHANNEL_PX = 10

/** By the place of an edge in `edges`; without those that can go straight from one column to the next. */
export function routesOf(plane: Plane, edges: readonly number[]): ReadonlyMap<number, readonly number[]> {
  const routes = new Map<number, readonly number[]>()
  if (edges.length > 2 * MAX_ROUTED) return routes
  const columns = columnsOf(plane)
  for (let edge = 0; edge < edges.length; edge += 2) {
    const [from, to] = [plane.shown[edges[edge] ?? 0] ?? 0, plane.shown[edges[edge + 1] ?? 0] ?? 0]
    if (from === to) continue
    const route = routeOf(plane, columns, from, to)
    if (route.length > 0) routes.set(edge, route)
  }
  return routes
}

interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
  readonly middle: number
}

function boxOf({ x, y, widths, heights }: Plane, node: number): Box {
  const [left = 0, top = 0, width = 0, height = 0] = [x[node], y[node], widths[node], heights[node]]
  return { left, right: left + width, top, bottom: top + height, middle: top + height / 2 }
}

type Columns = ReadonlyMap<string, readonly Box[]>

function columnsOf(plane: Plane): Columns {
  const columns = new Map<string, Box[]>()
  plane.shown.forEach((shown, node) => {
    const band = plane.bandOf[node] ?? -1
    if (shown !== node || plane.bands[band]?.lane === node) return
    const box = boxOf(plane, node)
    const key = `${band} ${box.left}`
    const column = columns.get(key)
    if (column) column.push(box)
    else columns.set(key, [box])
  })
  for (const column of columns.values()) column.sort((a, b) => a.top - b.top)
  return columns
}

function routeOf(plane: Plane, columns: Columns, from: number, to: number): readonly number[] {
  const [a, b] = [boxOf(plane, from), boxOf(plane, to)]
  const [bandA = 0, bandB = 0] = [plane.bandOf[from], plane.bandOf[to]]
  const isLane = (node: number, band: number): boolean => plane.bands[band]?.lane === node
  if (isLane(from, bandA) || isLane(to, bandB)) return laneRoute(plane, a, b, bandA, bandB, isLane(from, bandA))
  if (bandA === bandB) return b.left > a.right + GAP_X_PX ? rowRoute(columns, a, b, bandA) : []
  if (Math.abs(b.left - a.right - GAP_X_PX) < 1) return []
  const span = plane.spans[bandB]
  const channel = bandB > bandA ? (span?.top ?? 0) - CHANNEL_PX : (span?.bottom ?? 0) + CHANNEL_PX
  const [outside, inside] = [a.right + GAP_X_PX / 2, b.left - GAP_X_PX / 2]
  return b.left > a.right
    ? [a.right, a.middle, a.right + GAP_X_PX, channel, b.left - GAP_X_PX, channel, b.left, b.middle]
    : [a.right, a.middle, outside, a.middle, outside, channel, inside, channel, inside, b.middle, b.left, b.middle]
}

function rowRoute(columns: Columns, a: Box, b: Box, band: number): readonly number[] {
  const width = a.right - a.left
  const route = [a.right, a.middle]
  let y = a.middle
  for (let left = a.right + GAP_X_PX; left < b.left - 1; left += width + GAP_X_PX) {
    y = freeAt(columns.get(`${band} ${left}`) ?? [], y)
    route.push(left, y, left + width, y)
  }
  return [...route, b.left, b.middle]
}

/** @param column sorted from top to bottom, with gaps between */
export function freeAt(column: readonly Pick<Box, 'top' | 'bottom'>[], y: number): number {
  const hit = column.find(({ top, bottom }) => y > top - CLEARANCE_PX && y < bottom + CLEARANCE_PX)
  if (!hit) return y
  return y - hit.top < hit.bottom - y ? hit.top - CLEARANCE_PX : hit.bottom + CLEARANCE_PX
}

function laneRoute(plane: Plane, a: Box, b: Box, bandA: number, bandB: number, fromLane: boolean): readonly number[] {
  if (bandA === bandB) return []
  const isDown = bandB > bandA
  const x = fromLane ? (b.right - b.left < plane.width ? (b.left + b.right) / 2 : LANE_END_PX) : (a.left + a.right) / 2
  const [start, end] = isDown ? [a.bottom, b.top] : [a.top, b.bottom]
  if (Math.abs(bandA - bandB) === 1) return [x, start, x, end]
  const [near, far] = isDown ? [start + CHANNEL_PX, end - CHANNEL_PX] : [start - CHANNEL_PX, end + CHANNEL_PX]
  const [startX, endX] = fromLane ? [LANE_END_PX, x] : [x, LANE_END_PX]
  return [startX, start, startX, near, -RAIL_PX, near, -RAIL_PX, far, endX, far, endX, end]
}
