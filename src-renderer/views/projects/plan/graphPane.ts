import { frames } from '../../../frames/frames'
import { rgb, themeColours, type ColourName, type ThemeColours } from '../../../widgets/themeColours'
import { visibleText } from '../../../widgets/visibleText'
import { standingLooks, standingOf, type Plan } from './plan'
import { fitPlane, keepOnPlane, revealOnPlane, zoomPlane, type PlaneView } from './plane'
import { HEAD, type PlanLayout } from './planLayout'
import type { Size } from './layered'

export interface GraphConfig {
  readonly plan: Plan
  readonly layout: PlanLayout
  readonly selected: number | null
  /** Nodes from the selected one to what holds it. */
  readonly chain: readonly number[]
}

/** Scales from which on there is more to see: words, a second line of them. */
const LABELS_FROM_ZOOM = 0.35
const TITLES_FROM_ZOOM = 0.8
/** Smaller nodes are dots of this many CSS px at least. */
const DOT_PX = 2.5
/** More edges than these are a mist: their bundles are drawn. */
const MAX_EDGES_DRAWN = 2_500
/** How far from a dot a pointer still means it, CSS px. */
const HIT_PX = 6

type Context = CanvasRenderingContext2D

/** A plan on a canvas, as much of it as the scale has room for. */
export class GraphPane {
  hover: number | null = null
  readonly #canvas: HTMLCanvasElement
  #config: GraphConfig
  #view: PlaneView | null = null
  #size: Size = { width: 1, height: 1 }
  #colours: ThemeColours | undefined
  #isStale = true
  #critical: ReadonlySet<number> = new Set()

  constructor(canvas: HTMLCanvasElement, config: GraphConfig) {
    this.#canvas = canvas
    this.#config = config
    this.#critical = criticalEdges(config.plan)
    this.resize()
  }

  configure(config: GraphConfig): void {
    if (config.plan !== this.#config.plan) this.#critical = criticalEdges(config.plan)
    // What was seen stays where it is as far as there is anything; all of it is seen until somebody looked closer.
    if (config.layout !== this.#config.layout && this.#view)
      this.#view = keepOnPlane(this.#view, config.layout, this.#size)
    const isMoved = config.selected !== this.#config.selected
    this.#config = config
    if (isMoved && config.selected !== null) this.reveal(config.selected)
    this.#requestDraw()
  }

  resize(): void {
    const { clientWidth, clientHeight } = this.#canvas
    this.#canvas.width = Math.round(clientWidth * window.devicePixelRatio)
    this.#canvas.height = Math.round(clientHeight * window.devicePixelRatio)
    this.#size = { width: Math.max(1, clientWidth), height: Math.max(1, clientHeight) }
    this.#requestDraw()
  }

  get view(): PlaneView {
    return this.#view ?? fitPlane(this.#config.layout, this.#size)
  }

  fit(): void {
    this.#setView(null)
  }

  /** Around a point of the canvas, CSS px; around the selected node, or the middle, when none is given. */
  zoom(factor: number, point = this.#middle): void {
    this.#setView(zoomPlane(this.view, factor, point.x, point.y, this.#config.layout, this.#size))
  }

  /** By CSS px. */
  pan(dx: number, dy: number): void {
    const { scale, left, top } = this.view
    this.#setView(
      keepOnPlane({ scale, left: left - dx / scale, top: top - dy / scale }, this.#config.layout, this.#size),
    )
  }

  reveal(node: number): void {
    const { layout } = this.#config
    const [x, y] = [layout.x[node], layout.y[node]]
    if (x === undefined || y === undefined || Number.isNaN(x)) return
    const next = revealOnPlane(
      this.view,
      { x, y, width: layout.widths[node] ?? 0, height: Math.min(layout.heights[node] ?? 0, HEAD) },
      this.#size,
    )
    if (next.left !== this.view.left || next.top !== this.view.top) this.#setView(next)
  }

  /** The node at a point of the canvas, CSS px: a task before its phase. */
  nodeAt(atX: number, atY: number): number | null {
    const { scale, left, top } = this.view
    const [px, py] = [left + atX / scale, top + atY / scale]
    const { x, y, widths, heights } = this.#config.layout
    const { phases } = this.#config.plan
    const reach = scale < LABELS_FROM_ZOOM ? HIT_PX / scale : 0
    let found: number | null = null
    let nearest = Infinity
    for (let node = 0; node < x.length; node++) {
      const [nx = NaN, ny = NaN, width = 0, height = 0] = [x[node], y[node], widths[node], heights[node]]
      const isTask = (phases[node] ?? -1) >= 0
      const extra = isTask ? reach : 0
      if (!(px >= nx - extra && px <= nx + width + extra && py >= ny - extra && py <= ny + height + extra)) continue
      // A phase is as far away as can be: any task in it is meant before it.
      const distance = isTask ? Math.hypot(px - nx - width / 2, py - ny - height / 2) : Number.MAX_VALUE
      if (distance >= nearest && found !== null) continue
      found = node
      nearest = distance
    }
    return found
  }

  /** Tells the node under the pointer; whether it is another one than before. */
  pointAt(node: number | null): boolean {
    if (node === this.hover) return false
    this.hover = node
    this.#requestDraw()
    return true
  }

  draw(): void {
    const colours = themeColours()
    if (!this.#isStale && colours === this.#colours) return
    const context = this.#canvas.getContext('2d')
    // Behind another tab the pane has no size.
    if (!context || this.#canvas.width === 0 || this.#canvas.height === 0) return
    this.#isStale = false
    this.#colours = colours
    const ratio = window.devicePixelRatio
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    context.fillStyle = rgb(colours.panel)
    context.fillRect(0, 0, this.#size.width, this.#size.height)
    const { plan } = this.#config
    const seen = this.#seenNodes()
    const open = seen.filter((node) => this.#isOpenPhase(node))
    const rest = seen.filter((node) => !this.#isOpenPhase(node))
    this.#drawPhases(context, colours, open)
    this.#drawEdges(context, colours)
    this.#drawNodes(context, colours, rest)
    this.#drawMarks(context, colours)
    this.#canvas.dataset['painted'] = `${plan.keys.length}`
  }

  get #middle(): { x: number; y: number } {
    const { selected, layout } = this.#config
    const { scale, left, top } = this.view
    const node = selected === null ? -1 : (layout.shown[selected] ?? -1)
    const [x, y] = [layout.x[node], layout.y[node]]
    if (x === undefined || y === undefined) return { x: this.#size.width / 2, y: this.#size.height / 2 }
    return {
      x: (x + (layout.widths[node] ?? 0) / 2 - left) * scale,
      y: (y + Math.min(HEAD, layout.heights[node] ?? 0) / 2 - top) * scale,
    }
  }

  #setView(view: PlaneView | null): void {
    this.#view = view
    this.#requestDraw()
  }

  #requestDraw(): void {
    this.#isStale = true
    frames.requestDraw()
  }

  #isOpenPhase(node: number): boolean {
    const { plan, layout } = this.#config
    const [first] = plan.tasks.get(node) ?? []
    return first !== undefined && layout.shown[first] === first
  }

  #seenNodes(): number[] {
    const { scale, left, top } = this.view
    const [right, bottom] = [left + this.#size.width / scale, top + this.#size.height / scale]
    const { x, y, widths, heights } = this.#config.layout
    const seen: number[] = []
    for (let node = 0; node < x.length; node++) {
      const [nx = NaN, ny = NaN] = [x[node], y[node]]
      if (nx <= right && ny <= bottom && nx + (widths[node] ?? 0) >= left && ny + (heights[node] ?? 0) >= top)
        seen.push(node)
    }
    return seen
  }

  /** On the canvas, CSS px. */
  #boxOf(node: number): { x: number; y: number; width: number; height: number } {
    const { scale, left, top } = this.view
    const { x, y, widths, heights } = this.#config.layout
    return {
      x: ((x[node] ?? 0) - left) * scale,
      y: ((y[node] ?? 0) - top) * scale,
      width: (widths[node] ?? 0) * scale,
      height: (heights[node] ?? 0) * scale,
    }
  }

  #drawPhases(context: Context, colours: ThemeColours, phases: readonly number[]): void {
    const { scale } = this.view
    const { plan } = this.#config
    for (const node of phases) {
      const { x, y, width, height } = this.#boxOf(node)
      context.fillStyle = rgb(colours.raised)
      context.fillRect(x, y, width, height)
      context.lineWidth = 1
      context.strokeStyle = rgb(colours.line)
      context.strokeRect(x, y, width, height)
      if (HEAD * scale < 11) continue
      this.#font(context, 11, true)
      const look = standingLooks[standingOf(plan, node)]
      context.fillStyle = rgb(colours[look.colour])
      // The title stays in sight while any of its phase does.
      const from = Math.max(x, 0)
      const middle = Math.max(y, 0) + Math.min(HEAD * scale, 22) / 2 + 2
      context.fillText(look.sign, from + 6, middle)
      context.fillStyle = rgb(colours.text)
      this.#write(context, caption(plan, node), from + 20, middle, Math.min(x + width, this.#size.width) - from - 26)
    }
  }

  #drawEdges(context: Context, colours: ThemeColours): void {
    const { plan, layout, selected, chain } = this.#config
    const { scale, left, top } = this.view
    const [right, bottom] = [left + this.#size.width / scale, top + this.#size.height / scale]
    const plain: number[] = []
    const strong: number[] = []
    const near: number[] = []
    const held: number[] = []
    const steps = new Set(chain.slice(1).map((node, at) => pair(node, chain[at] ?? 0)))
    const focus = [selected, this.hover].flatMap((node) => (node === null ? [] : (layout.shown[node] ?? node)))
    for (let edge = 0; edge < plan.edges.length; edge += 2) {
      const [from = 0, to = 0] = [plan.edges[edge], plan.edges[edge + 1]]
      const [a, b] = [layout.shown[from] ?? 0, layout.shown[to] ?? 0]
      if (a === b) continue
      const [ax = 0, ay = 0, bx = 0, by = 0] = [layout.x[a], layout.y[a], layout.x[b], layout.y[b]]
      const [aRight, bRight] = [ax + (layout.widths[a] ?? 0), bx + (layout.widths[b] ?? 0)]
      if (
        Math.min(ax, bx) > right ||
        Math.max(aRight, bRight) < left ||
        Math.min(ay, by) > bottom ||
        Math.max(ay, by) + HEAD < top
      )
        continue
      const key = pair(from, to)
      if (steps.has(key)) held.push(a, b)
      else if (focus.includes(a) || focus.includes(b)) near.push(a, b)
      else if (this.#critical.has(key)) strong.push(a, b)
      else plain.push(a, b)
    }
    if (plain.length > 2 * MAX_EDGES_DRAWN) this.#drawBundles(context, colours)
    else this.#stroke(context, plain, rgb(colours['line-strong'], scale < LABELS_FROM_ZOOM ? 0.5 : 0.9), 1)
    this.#stroke(context, strong, rgb(colours.text, 0.8), 2)
    this.#stroke(context, near, rgb(colours.accent), 1.5)
    this.#stroke(context, held, rgb(colours.bad), 2.5)
  }

  #drawBundles(context: Context, colours: ThemeColours): void {
    const { bundles } = this.#config.layout
    const { scale, left, top } = this.view
    context.strokeStyle = rgb(colours['line-strong'], 0.25)
    // By thickness, so that each is one stroke.
    for (const [least, most, width] of [
      [1, 3, 0.75],
      [4, 15, 1.5],
      [16, Infinity, 3],
    ] as const) {
      context.lineWidth = width
      context.beginPath()
      for (let at = 0; at < bundles.length; at += 5) {
        const [ax = 0, ay = 0, bx = 0, by = 0, count = 0] = bundles.subarray(at, at + 5)
        if (count < least || count > most) continue
        context.moveTo((ax - left) * scale, (ay - top) * scale)
        context.lineTo((bx - left) * scale, (by - top) * scale)
      }
      context.stroke()
    }
  }

  /** @param ends pairs of nodes */
  #stroke(context: Context, ends: readonly number[], colour: string, width: number): void {
    if (ends.length === 0) return
    const { scale } = this.view
    const isNear = scale >= LABELS_FROM_ZOOM
    context.strokeStyle = colour
    context.fillStyle = colour
    context.lineWidth = width
    context.beginPath()
    const tips: number[] = []
    for (let at = 0; at < ends.length; at += 2) {
      const [a, b] = [this.#boxOf(ends[at] ?? 0), this.#boxOf(ends[at + 1] ?? 0)]
      const [fromY, toY] = [a.y + Math.min(a.height, HEAD * scale) / 2, b.y + Math.min(b.height, HEAD * scale) / 2]
      const fromX = a.x + a.width
      // What stands in one layer is tied by an arc on its right.
      const isArc = b.x < fromX
      const toX = isArc ? b.x + b.width : b.x
      context.moveTo(fromX, fromY)
      if (!isNear) {
        context.lineTo(toX, toY)
        continue
      }
      const bow = isArc ? 28 * scale : Math.max(16 * scale, (toX - fromX) / 2)
      context.bezierCurveTo(fromX + bow, fromY, isArc ? Math.max(fromX, toX) + bow : toX - bow, toY, toX, toY)
      tips.push(toX, toY, isArc ? -1 : 1)
    }
    context.stroke()
    context.beginPath()
    for (let at = 0; at < tips.length; at += 3) {
      const [x = 0, y = 0, direction = 1] = tips.slice(at, at + 3)
      const length = 3 + 4 * Math.min(1, scale)
      context.moveTo(x, y)
      context.lineTo(x - direction * length, y - length / 2)
      context.lineTo(x - direction * length, y + length / 2)
    }
    context.fill()
  }

  #drawNodes(context: Context, colours: ThemeColours, nodes: readonly number[]): void {
    const { plan } = this.#config
    const { scale } = this.view
    if (scale < LABELS_FROM_ZOOM) {
      const byColour = new Map<ColourName, number[]>()
      for (const node of nodes) {
        const { colour } = standingLooks[standingOf(plan, node)]
        const list = byColour.get(colour)
        if (list) list.push(node)
        else byColour.set(colour, [node])
      }
      for (const [colour, list] of byColour) {
        context.fillStyle = rgb(colours[colour], colour === 'muted' ? 0.6 : 1)
        for (const node of list) {
          const { x, y, width, height } = this.#boxOf(node)
          context.fillRect(x, y, Math.max(DOT_PX, width), Math.max(DOT_PX, height))
        }
      }
      return
    }
    for (const node of nodes) this.#drawNode(context, colours, node)
  }

  #drawNode(context: Context, colours: ThemeColours, node: number): void {
    const { plan } = this.#config
    const { scale } = this.view
    const { x, y, width, height } = this.#boxOf(node)
    const standing = standingOf(plan, node)
    const look = standingLooks[standing]
    const isOver = standing === 'done' || standing === 'skipped'
    context.fillStyle = rgb(isOver ? colours.raised : colours.panel)
    context.fillRect(x, y, width, height)
    context.setLineDash(standing === 'missing' ? [4, 3] : [])
    context.lineWidth = 1
    context.strokeStyle = rgb(isOver ? colours.line : colours[look.colour])
    context.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1)
    context.setLineDash([])
    context.fillStyle = rgb(colours[look.colour])
    context.fillRect(x, y, 3, height)
    const hasTitle = scale >= TITLES_FROM_ZOOM && (plan.titles[node] ?? '') !== ''
    const size = Math.min(12, Math.max(9, 11 * scale))
    const middle = y + (hasTitle ? height * 0.32 : height / 2)
    this.#font(context, size, true)
    context.fillText(look.sign, x + 7, middle)
    const tasks = plan.tasks.get(node)
    context.fillStyle = rgb(isOver ? colours.muted : colours.text)
    const key = visibleText(plan.keys[node] ?? '')
    const words = tasks
      ? `${caption(plan, node)} (${tasks.length})`
      : hasTitle
        ? key
        : `${key} ${visibleText(plan.titles[node] ?? '')}`
    this.#write(context, words, x + 8 + size, middle, width - 14 - size)
    if (!hasTitle || tasks) return
    this.#font(context, Math.min(11, 10 * scale), false)
    context.fillStyle = rgb(colours.muted)
    this.#write(context, visibleText(plan.titles[node] ?? ''), x + 7, y + height * 0.72, width - 12)
  }

  /** Frames around the selected node and the one under the pointer. */
  #drawMarks(context: Context, colours: ThemeColours): void {
    const { selected, layout } = this.#config
    for (const [node, colour, width] of [
      [this.hover, colours.text, 1],
      [selected, colours.accent, 2],
    ] as const) {
      const shown = node === null ? undefined : layout.shown[node]
      if (shown === undefined) continue
      const box = this.#boxOf(shown)
      const [wide, high] = [Math.max(8, box.width), Math.max(8, box.height)]
      context.lineWidth = width
      context.strokeStyle = rgb(colour)
      context.strokeRect(box.x + (box.width - wide) / 2 - 2, box.y + (box.height - high) / 2 - 2, wide + 4, high + 4)
    }
  }

  #font(context: Context, size: number, isBold: boolean): void {
    context.font = `${isBold ? '600 ' : ''}${size}px ${this.#family}`
    context.textAlign = 'left'
    context.textBaseline = 'middle'
  }

  get #family(): string {
    return (this.#familyRead ??= getComputedStyle(this.#canvas).fontFamily)
  }
  #familyRead: string | undefined

  /** All letters of the font are of one width: what has room is counted, not measured. */
  #write(context: Context, text: string, x: number, y: number, width: number): void {
    const letters = Math.floor(width / (this.#letter(context) || 1))
    if (letters < 1) return
    context.fillText(text.length > letters ? `${text.slice(0, letters - 1)}…` : text, x, y)
  }

  readonly #letters = new Map<string, number>()
  #letter(context: Context): number {
    const known = this.#letters.get(context.font)
    if (known !== undefined) return known
    const { width } = context.measureText('0')
    this.#letters.set(context.font, width)
    return width
  }
}

const pair = (from: number, to: number): number => from * 0x100000 + to

/** Those edges that tie one of the longest chain to the next. */
function criticalEdges({ critical }: Plan): ReadonlySet<number> {
  return new Set(critical.slice(1).map((node, at) => pair(critical[at] ?? 0, node)))
}

const caption = (plan: Plan, node: number): string => visibleText(plan.titles[node] || plan.keys[node] || '')
