import { frames } from '../../../frames/frames'
import { themeColours, type ThemeColours } from '../../../widgets/themeColours'
import { CardPainter } from './cardPainter'
import { FixedWidthFont } from './fixedWidthFont'
import { Minimap } from './minimap'
import { firstToShow, openingView } from './opening'
import { criticalEdges, LABELS_FROM_ZOOM, paintGraph } from './paintGraph'
import type { Plan } from './plan'
import { centreOnPlane, fitPlane, keepOnPlane, revealOnPlane, zoomPlane, type PlaneView } from './plane'
import { NODE, type PlanLayout } from './planLayout'
import type { Size } from './layered'

interface GraphConfig {
  readonly plan: Plan
  readonly layout: PlanLayout
  readonly selected: number | null
  readonly chain: readonly number[]
  /** The part of the right side that a panel covers, CSS px. */
  readonly covered: number
  /** ms since 1970. */
  readonly now: number
}

const MAP_MARGIN_PX = 8

interface Rectangle extends Size {
  readonly x: number
  readonly y: number
}

const holds = ({ x, y, width, height }: Rectangle, atX: number, atY: number): boolean =>
  atX >= x && atY >= y && atX <= x + width && atY <= y + height

/** How far from a dot a pointer still means it, CSS px. */
const HIT_PX = 6

export class GraphPane {
  hover: number | null = null
  readonly #canvas: HTMLCanvasElement
  readonly #font: FixedWidthFont
  #config: GraphConfig
  readonly #cards: CardPainter
  readonly #map = new Minimap()
  #view: PlaneView | 'opening' | 'whole' = 'opening'
  #isByHand = false
  /** The node that the view opens at. Kept while states change, so that nothing moves by itself. */
  #first: number | null
  #size: Size = { width: 1, height: 1 }
  #colours: ThemeColours | undefined
  #isStale = true
  #critical: ReadonlySet<number> = new Set()

  constructor(canvas: HTMLCanvasElement, config: GraphConfig) {
    this.#canvas = canvas
    this.#font = new FixedWidthFont(canvas)
    this.#cards = new CardPainter(canvas)
    this.#config = config
    this.#first = firstToShow(config.plan, config.layout)
    this.#critical = criticalEdges(config.plan)
    this.resize()
  }

  configure(config: GraphConfig): void {
    if (config.plan !== this.#config.plan) this.#critical = criticalEdges(config.plan)
    if (config.layout !== this.#config.layout) {
      this.#first = firstToShow(config.plan, config.layout)
      if (typeof this.#view === 'object') this.#view = keepOnPlane(this.#view, config.layout, this.#size)
    }
    const isMoved = config.selected !== this.#config.selected || config.covered > this.#config.covered
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
    if (this.#isByHand) return
    this.#view = 'opening'
    if (this.#config.selected !== null) this.reveal(this.#config.selected)
  }

  get view(): PlaneView {
    if (typeof this.#view === 'object') return this.#view
    const { layout } = this.#config
    return this.#view === 'whole' ? fitPlane(layout, this.#size) : openingView(layout, this.#size, this.#first)
  }

  fit(): void {
    this.#setView('whole')
  }

  /** x and y: a point of the canvas, CSS px. Undefined where there is no map. */
  grabMap(x: number, y: number): ((x: number, y: number) => void) | undefined {
    const place = this.#mapPlace()
    if (!place || !holds(place, x, y)) return undefined
    const { layout } = this.#config
    const { scale, left, top } = this.view
    const seen = { x: left, y: top, width: this.#size.width / scale, height: this.#size.height / scale }
    const pointAt = (x: number, y: number) => Minimap.pointAt(layout, x - place.x, y - place.y)
    const from = pointAt(x, y)
    // What is seen stays below the pointer that took hold of it; anything else moves to the middle.
    const [aside, below] = holds(seen, from.x, from.y)
      ? [seen.x + seen.width / 2 - from.x, seen.y + seen.height / 2 - from.y]
      : [0, 0]
    return (x, y) => {
      const point = pointAt(x, y)
      this.#setView(centreOnPlane({ x: point.x + aside, y: point.y + below }, scale, layout, this.#size))
    }
  }

  /** @param point of the canvas, CSS px; the selected node or the middle where none is given */
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
    const { layout, covered } = this.#config
    const [x, y] = [layout.x[node], layout.y[node]]
    if (x === undefined || y === undefined || Number.isNaN(x)) return
    const next = revealOnPlane(
      this.view,
      { x, y, width: layout.widths[node] ?? 0, height: Math.min(layout.heights[node] ?? 0, NODE.height) },
      { ...this.#size, width: this.#size.width - covered },
    )
    if (next.left === this.view.left && next.top === this.view.top) return
    this.#view = next
    this.#requestDraw()
  }

  /** A task before its phase. The point is on the canvas, CSS px. */
  nodeAt(atX: number, atY: number): number | null {
    const place = this.#mapPlace()
    if (place && holds(place, atX, atY)) return null
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
      // A phase counts as farthest away, so that any task in it comes before it.
      const distance = isTask ? Math.hypot(px - nx - width / 2, py - ny - height / 2) : Number.MAX_VALUE
      if (distance >= nearest && found !== null) continue
      found = node
      nearest = distance
    }
    return found
  }

  /** @returns whether it is another node than before */
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
    const { view, hover } = this
    paintGraph(context, this.#font, this.#cards, colours, {
      ...this.#config,
      view,
      hover,
      size: this.#size,
      critical: this.#critical,
    })
    const map = this.#mapPlace()
    const { plan, layout } = this.#config
    if (map) this.#map.paint(context, map, plan, layout, colours, view, this.#size)
    this.#canvas.dataset['painted'] = `${this.#config.plan.keys.length}`
  }

  get #middle(): { x: number; y: number } {
    const { selected, layout } = this.#config
    const { scale, left, top } = this.view
    const node = selected === null ? -1 : (layout.shown[selected] ?? -1)
    const [x, y] = [layout.x[node], layout.y[node]]
    if (x === undefined || y === undefined) return { x: this.#size.width / 2, y: this.#size.height / 2 }
    return {
      x: (x + (layout.widths[node] ?? 0) / 2 - left) * scale,
      y: (y + Math.min(NODE.height, layout.heights[node] ?? 0) / 2 - top) * scale,
    }
  }

  /** On the canvas, CSS px; undefined while the whole plan is visible. */
  #mapPlace(): Rectangle | undefined {
    const { layout } = this.#config
    const { scale, left, top } = this.view
    const [right, bottom] = [left + this.#size.width / scale, top + this.#size.height / scale]
    if (left <= 0 && top <= 0 && right >= layout.width && bottom >= layout.height) return undefined
    const size = Minimap.sizeOf(layout)
    return { ...size, x: MAP_MARGIN_PX, y: this.#size.height - size.height - MAP_MARGIN_PX }
  }

  #setView(view: PlaneView | 'whole'): void {
    this.#view = view
    this.#isByHand = true
    this.#requestDraw()
  }

  #requestDraw(): void {
    this.#isStale = true
    frames.requestDraw()
  }
}
