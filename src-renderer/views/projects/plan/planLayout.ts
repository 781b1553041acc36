/** Where the phases and tasks of a plan stand on the plane: tasks in the box of their phase, phases beside each other. */
import type { RunGraph } from '@shared/contract/runGraph'
import { placeInLayers, type Size } from './layered'

/** Of a task, and of a phase that is shut, in CSS px at full size. */
export const NODE: Size = { width: 176, height: 36 }
/** Of an open phase: its title, and the room around its tasks. */
export const HEAD_PX = 28
const PADDING_PX = 12
/** As many lines as can be distinguished when the whole plan is seen. */
const MAX_BUNDLES = 1_500

/** What decides where things stand; states do not. */
export interface PlanShape extends Pick<RunGraph, 'phases' | 'edges'> {
  /** Numbers of phases whose tasks are not shown. */
  readonly shut: readonly number[]
}

export interface PlanLayout extends Size {
  /** Of each node its left upper corner; NaN where its phase is shut. */
  readonly x: Float32Array
  readonly y: Float32Array
  /** Open phases are as large as their tasks. */
  readonly widths: Float32Array
  readonly heights: Float32Array
  /** The node that is seen for each: itself, or its phase when that is shut. */
  readonly shown: Int32Array
  /** Edges that begin and end near each other, as one: two ends (x, y, x, y) and how many, for each. */
  readonly bundles: Float32Array
}

/** The numbers of each phase's tasks; without the phases that have none. */
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
  const inner = innerEdges(phases, edges)
  const tops = phases.flatMap((phase, node) => (phase < 0 ? [node] : []))
  const topOf = Int32Array.from(phases, (phase, node) => (phase < 0 ? node : phase))

  for (const [phase, members] of tasks) {
    if (isShut.has(phase)) continue
    const local = new Map(members.map((node, at) => [node, at]))
    const {
      x: left,
      y: top,
      width,
      height,
    } = placeInLayers(
      members.map(() => NODE),
      (inner.get(phase) ?? []).map((node) => local.get(node) ?? 0),
    )
    members.forEach((node, at) => {
      x[node] = PADDING_PX + (left[at] ?? 0)
      y[node] = HEAD_PX + (top[at] ?? 0)
    })
    widths[phase] = width + 2 * PADDING_PX
    heights[phase] = HEAD_PX + height + PADDING_PX
  }

  const number = new Map(tops.map((node, at) => [node, at]))
  const outer: number[] = []
  for (let edge = 0; edge < edges.length; edge += 2) {
    const [from, to] = [topOf[edges[edge] ?? 0] ?? 0, topOf[edges[edge + 1] ?? 0] ?? 0]
    if (from !== to) outer.push(number.get(from) ?? 0, number.get(to) ?? 0)
  }
  const whole = placeInLayers(
    tops.map((node) => ({ width: widths[node] ?? 0, height: heights[node] ?? 0 })),
    outer,
  )
  tops.forEach((node, at) => {
    const [left, top] = [whole.x[at] ?? 0, whole.y[at] ?? 0]
    x[node] = left
    y[node] = top
    if (isShut.has(node)) return
    for (const task of tasks.get(node) ?? []) {
      x[task] = (x[task] ?? 0) + left
      y[task] = (y[task] ?? 0) + top
    }
  })
  const layout = { x, y, widths, heights, shown, width: whole.width, height: whole.height }
  return { ...layout, bundles: bundle(layout, edges) }
}

/** Those between tasks of one phase, by the phase. */
function innerEdges(phases: readonly number[], edges: readonly number[]): Map<number, number[]> {
  const inner = new Map<number, number[]>()
  for (let edge = 0; edge < edges.length; edge += 2) {
    const [from = 0, to = 0] = [edges[edge], edges[edge + 1]]
    const phase = phases[from] ?? -1
    if (phase < 0 || phases[to] !== phase) continue
    const list = inner.get(phase)
    if (list) list.push(from, to)
    else inner.set(phase, [from, to])
  }
  return inner
}

type Plane = Omit<PlanLayout, 'bundles'>

/** Ends are put together by the cells of a grid, as fine as leaves few enough. */
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

/** How many edges go from one cell to another; seven bits each for the column and row of both. */
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
