/** Each open phase is a lane across the plane, with its tasks in columns. */
import type { RunGraph } from '@shared/contract/runGraph'
import { placeInLayers, type Size } from './layered'
import { routesOf, type Band, type Span } from './routes'

/** Of a task or a shut phase, CSS px at full size. */
export const NODE: Size = { width: 200, height: 56 }
export const HEAD_PX = 28
const PADDING_PX = 12
const LANE_GAP_PX = 20
/** As many lines as can be told apart when the whole plan is visible. */
const MAX_BUNDLES = 1_500

/** Everything that decides the layout; states do not. */
export interface PlanShape extends Pick<RunGraph, 'phases' | 'edges'> {
  readonly shut: readonly number[]
}

export interface PlanLayout extends Size {
  /** Upper left corner of each node; NaN where its phase is shut. */
  readonly x: Float32Array
  readonly y: Float32Array
  readonly widths: Float32Array
  readonly heights: Float32Array
  /** The visible node for each: itself, or its phase when that is shut. */
  readonly shown: Int32Array
  /** Edges that begin and end near each other, as one. For each: two ends (x, y, x, y) and how many. */
  readonly bundles: Float32Array
  /** Points (x, y, x, y …) of edges that go around something, by the place of the edge in the plan's list. */
  readonly routes: ReadonlyMap<number, readonly number[]>
}

export function tasksByPhase(phases: readonly number[]): ReadonlyMap<number, readonly number[]> {
  const tasks = new Map<number, number[]>()
  phases.forEach((phase, node) => {
    if (phase < 0) return
    const known = tasks.get(phase)
    if (known) known.push(node)
    else tasks.set(phase, [node])
  })
  return tasks
}

export function layOutPlan({ phases, edges, shut }: PlanShape): PlanLayout {
  const isShut = new Set(shut)
  const tasks = tasksByPhase(phases)
  const count = phases.length
  const [x, y] = [new Float32Array(count).fill(NaN), new Float32Array(count).fill(NaN)]
  const [widths, heights] = [new Float32Array(count).fill(NODE.width), new Float32Array(count).fill(NODE.height)]
  const shown = Int32Array.from(phases, (phase, node) => (phase >= 0 && isShut.has(phase) ? phase : node))
  const bands = bandsOf(phases, (node) => tasks.has(node) && !isShut.has(node))
  const bandOf = new Int32Array(count).fill(-1)
  const padding = bands.some(({ lane }) => lane !== null) ? PADDING_PX : 0
  const spans: Span[] = []
  const inner = innerEdges(edges, shown, bands, bandOf, tasks)
  let [top, width] = [0, 0]
  bands.forEach(({ lane, tops }, band) => {
    const members = lane === null ? tops : (tasks.get(lane) ?? [])
    const placed = placeInLayers(members.length, NODE, inner[band] ?? [])
    const head = lane === null ? 0 : HEAD_PX
    members.forEach((node, at) => {
      x[node] = padding + (placed.x[at] ?? 0)
      y[node] = top + head + (placed.y[at] ?? 0)
    })
    const height = head + placed.height + (lane === null ? 0 : PADDING_PX)
    if (lane !== null) {
      x[lane] = 0
      y[lane] = top
      heights[lane] = height
    }
    width = Math.max(width, placed.width + 2 * padding)
    spans.push({ top, bottom: top + height })
    top += height + LANE_GAP_PX
  })
  for (const { lane } of bands) if (lane !== null) widths[lane] = width
  const layout = { x, y, widths, heights, shown, width, height: Math.max(0, top - LANE_GAP_PX) }
  return { ...layout, bundles: bundle(layout, edges), routes: routesOf({ ...layout, bandOf, bands, spans }, edges) }
}

/** Neighbouring phases without visible tasks share a band; an open phase is a lane of its own. */
function bandsOf(phases: readonly number[], isOpen: (node: number) => boolean): Band[] {
  const bands: Band[] = []
  phases.forEach((phase, node) => {
    if (phase >= 0) return
    const last = bands.at(-1)
    if (isOpen(node)) bands.push({ lane: node, tops: [] })
    else if (last?.lane === null) last.tops.push(node)
    else bands.push({ lane: null, tops: [node] })
  })
  return bands
}

function innerEdges(
  edges: readonly number[],
  shown: Int32Array,
  bands: readonly Band[],
  bandOf: Int32Array,
  tasks: ReadonlyMap<number, readonly number[]>,
): number[][] {
  const placeOf = new Int32Array(shown.length)
  bands.forEach(({ lane, tops }, band) => {
    if (lane !== null) bandOf[lane] = band
    const members = lane === null ? tops : (tasks.get(lane) ?? [])
    members.forEach((node, at) => {
      bandOf[node] = band
      placeOf[node] = at
    })
  })
  const inner: number[][] = bands.map(() => [])
  for (let edge = 0; edge < edges.length; edge += 2) {
    const [from, to] = [shown[edges[edge] ?? 0] ?? 0, shown[edges[edge + 1] ?? 0] ?? 0]
    const band = bandOf[from] ?? -1
    const lane = bands[band]?.lane
    if (from !== to && band === bandOf[to] && lane !== from && lane !== to)
      inner[band]?.push(placeOf[from] ?? 0, placeOf[to] ?? 0)
  }
  return inner
}

type Plane = Omit<PlanLayout, 'bundles' | 'routes'>

function bundle(plane: Plane, edges: readonly number[]): Float32Array {
  for (let cells = 64; ; cells /= 2) {
    const bundles = bundleBy(plane, edges, cells)
    if (bundles.size > MAX_BUNDLES && cells > 2) continue
    const cell = cellOf(plane, cells)
    return Float32Array.from(
      [...bundles].flatMap(([ends, count]) => [
        ...[21, 14, 7, 0].map((shift) => (((ends >> shift) & 0x7f) + 0.5) * cell),
        count,
      ]),
    )
  }
}

const cellOf = ({ width, height }: Plane, cells: number): number => Math.max(1, width, height) / cells

/** Keys have seven bits each for the column and row of both cells. */
function bundleBy(plane: Plane, edges: readonly number[], cells: number): Map<number, number> {
  const { x, y, widths, heights, shown } = plane
  const cell = cellOf(plane, cells)
  const place = (node: number): number =>
    (Math.floor(((x[node] ?? 0) + (widths[node] ?? 0) / 2) / cell) << 7) |
    Math.floor(((y[node] ?? 0) + (heights[node] ?? 0) / 2) / cell)
  const bundles = new Map<number, number>()
  for (let edge = 0; edge < edges.length; edge += 2) {
    const [a, b] = [shown[edges[edge] ?? 0] ?? 0, shown[edges[edge + 1] ?? 0] ?? 0]
    if (a === b) continue
    const ends = (place(a) << 14) | place(b)
    bundles.set(ends, (bundles.get(ends) ?? 0) + 1)
  }
  return bundles
}
