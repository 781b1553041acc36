/** Boxes in layers from left to right, each to the right of what it waits for. Units are CSS px at full size. */
import { adjacencyOf, strongComponents, type Adjacency } from '@shared/graph/components'

export interface Size {
  readonly width: number
  readonly height: number
}

export const GAP_X_PX = 32
export const GAP_Y_PX = 12
/** Boxes of one layer, a screen's worth, before it is set in several columns. */
const MAX_COLUMN = 24
const MIN_GRID_COLUMNS = 4
/** Each sweep looks at each box and each edge twice; this many looks take some 100 ms. */
const MAX_STEPS = 2_000_000

export interface Placed extends Size {
  readonly x: Float64Array
  readonly y: Float64Array
}

/**
 * Layers by longest paths; boxes of a ring share a layer. Sweeps with a limit on their work reduce crossings. Boxes
 * without edges stand in a grid below. A sweep takes O(V + E), its sorting O(V log V).
 * @param edges pairs of box numbers: what comes before, what comes after
 */
export function placeInLayers(count: number, box: Size, edges: ArrayLike<number>): Placed {
  const before = adjacencyOf(count, edges, 1)
  const after = adjacencyOf(count, edges, 0)
  const isTied = (at: number): boolean => [before, after].some((side) => side[at]?.some((other) => other !== at))
  const tied: number[] = []
  const loose: number[] = []
  for (let at = 0; at < count; at++) (isTied(at) ? tied : loose).push(at)
  const placed = { x: new Float64Array(count), y: new Float64Array(count) }
  const flow = placeTied(tied, box, before, after, edges, placed)
  const grid = placeGrid(loose, box, placed, flow.height === 0 ? 0 : flow.height + GAP_Y_PX, flow.width)
  return { ...placed, width: Math.max(flow.width, grid.width), height: Math.max(flow.height, grid.height) }
}

function placeTied(
  boxes: readonly number[],
  size: Size,
  before: Adjacency,
  after: Adjacency,
  edges: ArrayLike<number>,
  { x, y }: Pick<Placed, 'x' | 'y'>,
): Size {
  if (boxes.length === 0) return { width: 0, height: 0 }
  const layerOf = layersOf(before, after)
  const layers: number[][] = []
  for (const box of boxes) (layers[layerOf[box] ?? 0] ??= []).push(box)
  const tallest = Math.max(MAX_COLUMN, Math.ceil(Math.sqrt(boxes.length)))
  const columnsOf = layers.map((layer) => Math.max(1, Math.ceil(layer.length / tallest)))
  const middle = new Float64Array(before.length)
  const settle = (layer: number[], columns: number, wanted: (box: number) => number): void => {
    const wantedAt = new Map(layer.map((box) => [box, wanted(box)]))
    layer.sort((a, b) => (wantedAt.get(a) ?? 0) - (wantedAt.get(b) ?? 0))
    // Side by side in columns, neighbours in the order may overlap in height.
    const steps = layer.map((_, at) => (at === 0 ? 0 : (size.height + GAP_Y_PX) / columns))
    spread(
      layer.map((box) => wantedAt.get(box) ?? 0),
      steps,
    ).forEach((place, at) => (middle[layer[at] ?? 0] = place))
  }
  layers.forEach((layer, at) => settle(layer, columnsOf[at] ?? 1, () => 0))
  const towards = (side: Adjacency) => (box: number) => {
    let [sum, count] = [0, 0]
    for (const other of side[box] ?? []) {
      if (layerOf[other] === layerOf[box]) continue
      sum += middle[other] ?? 0
      count++
    }
    return count === 0 ? (middle[box] ?? 0) : sum / count
  }
  const sweeps = Math.max(2, Math.min(12, Math.floor(MAX_STEPS / (2 * boxes.length + edges.length))))
  for (let sweep = 0; sweep < sweeps; sweep++) {
    if (sweep % 2 === 0)
      for (let at = 1; at < layers.length; at++) settle(layers[at] ?? [], columnsOf[at] ?? 1, towards(before))
    else for (let at = layers.length - 2; at >= 0; at--) settle(layers[at] ?? [], columnsOf[at] ?? 1, towards(after))
  }

  let [left, top, bottom] = [0, Infinity, -Infinity]
  layers.forEach((layer, at) => {
    const columns = columnsOf[at] ?? 1
    layer.forEach((box, place) => {
      x[box] = left + (place % columns) * (size.width + GAP_X_PX)
      y[box] = (middle[box] ?? 0) - size.height / 2
      top = Math.min(top, y[box] ?? 0)
      bottom = Math.max(bottom, (y[box] ?? 0) + size.height)
    })
    left += columns * (size.width + GAP_X_PX)
  })
  for (const box of boxes) y[box] = (y[box] ?? 0) - top
  return { width: left - GAP_X_PX, height: bottom - top }
}

/**
 * The longest way to each box, in edges between components; a box that waits for nothing stands just before what waits
 * for it.
 */
function layersOf(before: Adjacency, after: Adjacency): Int32Array {
  const components = strongComponents(before)
  const place = new Int32Array(before.length)
  components.forEach((component, at) => component.forEach((box) => (place[box] = at)))
  const layers = new Int32Array(components.length)
  components.forEach((component, at) => {
    for (const box of component) {
      for (const other of before[box] ?? []) {
        const from = place[other] ?? 0
        if (from !== at) layers[at] = Math.max(layers[at] ?? 0, (layers[from] ?? 0) + 1)
      }
    }
  })
  return Int32Array.from(before, (_, box) => {
    const layer = layers[place[box] ?? 0] ?? 0
    if (layer > 0 || components[place[box] ?? 0]?.length !== 1) return layer
    const next = (after[box] ?? []).filter((other) => other !== box).map((other) => layers[place[other] ?? 0] ?? 0)
    return next.length === 0 ? layer : Math.max(0, next.reduce((a, b) => Math.min(a, b)) - 1)
  })
}

/**
 * Keeps the order. Each result is at least `steps` beyond the one before and as near to `wanted` as possible:
 * neighbours that push each other stand around their common middle.
 * @param wanted ascending
 */
export function spread(wanted: readonly number[], steps: readonly number[]): number[] {
  const offsets: number[] = []
  steps.reduce((sum, step, at) => (offsets[at] = sum + step), 0)
  const pools: { sum: number; count: number }[] = []
  wanted.forEach((place, at) => {
    let pool = { sum: place - (offsets[at] ?? 0), count: 1 }
    for (let last = pools.at(-1); last && last.sum / last.count >= pool.sum / pool.count; last = pools.at(-1)) {
      pools.pop()
      pool = { sum: pool.sum + last.sum, count: pool.count + last.count }
    }
    pools.push(pool)
  })
  return pools
    .flatMap(({ sum, count }) => Array<number>(count).fill(sum / count))
    .map((place, at) => place + (offsets[at] ?? 0))
}

function placeGrid(
  boxes: readonly number[],
  size: Size,
  { x, y }: Pick<Placed, 'x' | 'y'>,
  top: number,
  atLeast: number,
): Size {
  if (boxes.length === 0) return { width: 0, height: 0 }
  const [across, down] = [size.width + GAP_X_PX, size.height + GAP_Y_PX]
  const target = Math.max(atLeast, Math.sqrt(boxes.length * across * down * 1.6))
  const columns = Math.max(MIN_GRID_COLUMNS, Math.floor((target + GAP_X_PX) / across))
  boxes.forEach((box, at) => {
    x[box] = (at % columns) * across
    y[box] = top + Math.floor(at / columns) * down
  })
  return {
    width: Math.min(columns, boxes.length) * across - GAP_X_PX,
    height: top + Math.ceil(boxes.length / columns) * down - GAP_Y_PX,
  }
}
