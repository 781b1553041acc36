import { rgb, type ColourName, type ThemeColours } from '../../../widgets/themeColours'
import { visibleText } from '../../../widgets/visibleText'
import type { CardPainter } from './cardPainter'
import type { FixedWidthFont } from './fixedWidthFont'
import type { Size } from './layered'
import { agentOf, standingLooks, standingOf, type Plan } from './plan'
import type { PlaneView } from './plane'
import { HEAD_PX, type PlanLayout } from './planLayout'
import { tracePath } from './tracePath'

export const LABELS_FROM_ZOOM = 0.35
const CARDS_FROM_ZOOM = 0.6
/** Smaller nodes are dots of at least this size, CSS px. */
const DOT_PX = 2.5
/** With more edges only their bundles are drawn. */
const MAX_EDGES_DRAWN = 2_500

interface GraphScene {
  readonly plan: Plan
  readonly layout: PlanLayout
  readonly selected: number | null
  readonly hover: number | null
  readonly chain: readonly number[]
  readonly critical: ReadonlySet<number>
  /** ms since 1970. */
  readonly now: number
  readonly view: PlaneView
  /** Of the canvas, CSS px. */
  readonly size: Size
}

type Context = CanvasRenderingContext2D

export function paintGraph(
  context: Context,
  font: FixedWidthFont,
  cards: CardPainter,
  colours: ThemeColours,
  scene: GraphScene,
): void {
  new GraphPainter(context, font, cards, colours, scene).paint()
}

class GraphPainter {
  readonly #context: Context
  readonly #font: FixedWidthFont
  readonly #cards: CardPainter
  readonly #colours: ThemeColours
  readonly #scene: GraphScene

  constructor(context: Context, font: FixedWidthFont, cards: CardPainter, colours: ThemeColours, scene: GraphScene) {
    this.#context = context
    this.#font = font
    this.#cards = cards
    this.#colours = colours
    this.#scene = scene
  }

  paint(): void {
    const { size } = this.#scene
    this.#context.fillStyle = rgb(this.#colours.panel)
    this.#context.fillRect(0, 0, size.width, size.height)
    const seen = this.#seenNodes()
    this.#drawPhases(seen.filter((node) => this.#isOpenPhase(node)))
    this.#drawEdges()
    this.#drawNodes(seen.filter((node) => !this.#isOpenPhase(node)))
    this.#drawMarks()
  }

  #isOpenPhase(node: number): boolean {
    const { plan, layout } = this.#scene
    const [first] = plan.tasks.get(node) ?? []
    return first !== undefined && layout.shown[first] === first
  }

  #seenNodes(): number[] {
    const { scale, left, top } = this.#scene.view
    const [right, bottom] = [left + this.#scene.size.width / scale, top + this.#scene.size.height / scale]
    const { x, y, widths, heights } = this.#scene.layout
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
    const { scale, left, top } = this.#scene.view
    const { x, y, widths, heights } = this.#scene.layout
    return {
      x: ((x[node] ?? 0) - left) * scale,
      y: ((y[node] ?? 0) - top) * scale,
      width: (widths[node] ?? 0) * scale,
      height: (heights[node] ?? 0) * scale,
    }
  }

  #drawPhases(phases: readonly number[]): void {
    const { scale } = this.#scene.view
    const { plan } = this.#scene
    for (const node of phases) {
      const { x, y, width, height } = this.#boxOf(node)
      this.#context.fillStyle = rgb(this.#colours.raised)
      this.#context.fillRect(x, y, width, height)
      this.#context.lineWidth = 1
      this.#context.strokeStyle = rgb(this.#colours.line)
      this.#context.strokeRect(x, y, width, height)
      if (HEAD_PX * scale < 11) continue
      this.#useFont(11, true)
      const look = standingLooks[standingOf(plan, node)]
      this.#context.fillStyle = rgb(this.#colours[look.colour])
      const from = Math.max(x, 0)
      const middle = y + Math.min(HEAD_PX * scale, 22) / 2 + 2
      this.#context.fillText(look.sign, from + 6, middle)
      this.#context.fillStyle = rgb(this.#colours.text)
      const agent = visibleText(agentOf(plan, node))
      this.#write(
        `${caption(plan, node)}  ${look.word}${agent === '' ? '' : `  ${agent}`}`,
        from + 20,
        middle,
        Math.min(x + width, this.#scene.size.width) - from - 26,
      )
    }
  }

  #drawEdges(): void {
    const { plan, layout, selected, chain } = this.#scene
    const { scale, left, top } = this.#scene.view
    const [right, bottom] = [left + this.#scene.size.width / scale, top + this.#scene.size.height / scale]
    const plain: number[] = []
    const strong: number[] = []
    const near: number[] = []
    const held: number[] = []
    const steps = new Set(chain.slice(1).map((node, at) => pair(node, chain[at] ?? 0)))
    const focus = [selected, this.#scene.hover].flatMap((node) => (node === null ? [] : (layout.shown[node] ?? node)))
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
        Math.max(ay + (layout.heights[a] ?? 0), by + (layout.heights[b] ?? 0)) < top
      )
        continue
      const key = pair(from, to)
      if (steps.has(key)) held.push(edge)
      else if (focus.includes(a) || focus.includes(b)) near.push(edge)
      else if (this.#scene.critical.has(key)) strong.push(edge)
      else plain.push(edge)
    }
    if (plain.length > MAX_EDGES_DRAWN) this.#drawBundles()
    else this.#stroke(plain, rgb(this.#colours['line-strong'], scale < LABELS_FROM_ZOOM ? 0.5 : 0.9), 1)
    this.#stroke(strong, rgb(this.#colours.text, 0.8), 2)
    this.#stroke(near, rgb(this.#colours.accent), 1.5)
    this.#stroke(held, rgb(this.#colours.bad), 2.5)
  }

  #drawBundles(): void {
    const { bundles } = this.#scene.layout
    const { scale, left, top } = this.#scene.view
    this.#context.strokeStyle = rgb(this.#colours['line-strong'], 0.25)
    for (const [least, most, width] of [
      [1, 3, 0.75],
      [4, 15, 1.5],
      [16, Infinity, 3],
    ] as const) {
      this.#context.lineWidth = width
      this.#context.beginPath()
      for (let at = 0; at < bundles.length; at += 5) {
        const [ax = 0, ay = 0, bx = 0, by = 0, count = 0] = bundles.subarray(at, at + 5)
        if (count < least || count > most) continue
        this.#context.moveTo((ax - left) * scale, (ay - top) * scale)
        this.#context.lineTo((bx - left) * scale, (by - top) * scale)
      }
      this.#context.stroke()
    }
  }

  /** @param edges indexes into the plan's list of edges */
  #stroke(edges: readonly number[], colour: string, width: number): void {
    if (edges.length === 0) return
    const { plan, layout } = this.#scene
    const { scale, left, top } = this.#scene.view
    const shown = (node: number | undefined): number => layout.shown[node ?? 0] ?? 0
    const isNear = scale >= LABELS_FROM_ZOOM
    this.#context.strokeStyle = colour
    this.#context.fillStyle = colour
    this.#context.lineWidth = width
    this.#context.beginPath()
    const tips: number[] = []
    for (const edge of edges) {
      const route = layout.routes.get(edge)
      if (route) {
        const points = route.map((value, at) => (value - (at % 2 === 0 ? left : top)) * scale)
        tips.push(...points.slice(-2), ...tracePath(this.#context, points))
        continue
      }
      const [a, b] = [this.#boxOf(shown(plan.edges[edge])), this.#boxOf(shown(plan.edges[edge + 1]))]
      const [fromY, toY] = [a.y + a.height / 2, b.y + b.height / 2]
      const fromX = a.x + a.width
      const isArc = b.x < fromX
      const toX = isArc ? b.x + b.width : b.x
      this.#context.moveTo(fromX, fromY)
      if (!isNear) {
        this.#context.lineTo(toX, toY)
        continue
      }
      const bow = isArc ? 28 * scale : Math.max(16 * scale, (toX - fromX) / 2)
      this.#context.bezierCurveTo(fromX + bow, fromY, isArc ? Math.max(fromX, toX) + bow : toX - bow, toY, toX, toY)
      tips.push(toX, toY, isArc ? -1 : 1, 0)
    }
    this.#context.stroke()
    this.#context.beginPath()
    const length = 3 + 4 * Math.min(1, scale)
    for (let at = 0; at < tips.length; at += 4) {
      const [x = 0, y = 0, right = 1, down = 0] = tips.slice(at, at + 4)
      const [backX, backY] = [x - right * length, y - down * length]
      this.#context.moveTo(x, y)
      this.#context.lineTo(backX - (down * length) / 2, backY - (right * length) / 2)
      this.#context.lineTo(backX + (down * length) / 2, backY + (right * length) / 2)
    }
    this.#context.fill()
  }

  #drawNodes(nodes: readonly number[]): void {
    const { plan } = this.#scene
    const { scale } = this.#scene.view
    if (scale < LABELS_FROM_ZOOM) {
      const byColour = new Map<ColourName, number[]>()
      for (const node of nodes) {
        const { colour } = standingLooks[standingOf(plan, node)]
        const list = byColour.get(colour)
        if (list) list.push(node)
        else byColour.set(colour, [node])
      }
      for (const [colour, list] of byColour) {
        this.#context.fillStyle = rgb(this.#colours[colour], colour === 'muted' ? 0.6 : 1)
        for (const node of list) {
          const { x, y, width, height } = this.#boxOf(node)
          this.#context.fillRect(x, y, Math.max(DOT_PX, width), Math.max(DOT_PX, height))
        }
      }
      return
    }
    for (const node of nodes) this.#drawNode(node)
  }

  #drawNode(node: number): void {
    const { plan } = this.#scene
    const { scale } = this.#scene.view
    const { x, y, width, height } = this.#boxOf(node)
    const standing = standingOf(plan, node)
    const look = standingLooks[standing]
    const isOver = standing === 'done' || standing === 'skipped'
    this.#context.fillStyle = rgb(isOver ? this.#colours.raised : this.#colours.panel)
    this.#context.fillRect(x, y, width, height)
    this.#context.setLineDash(standing === 'missing' ? [4, 3] : [])
    this.#context.lineWidth = 1
    this.#context.strokeStyle = rgb(this.#colours[isOver ? 'line' : 'line-strong'])
    this.#context.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1)
    this.#context.setLineDash([])
    this.#context.fillStyle = rgb(this.#colours[look.colour])
    this.#context.fillRect(x, y, 3, height)
    if (scale >= CARDS_FROM_ZOOM) {
      this.#context.save()
      this.#context.translate(x, y)
      this.#context.scale(scale, scale)
      this.#cards.paint(this.#context, this.#colours, plan, node, this.#scene.now)
      this.#context.restore()
      return
    }
    const middle = y + height / 2
    this.#useFont(10, true)
    this.#context.fillText(look.sign, x + 7, middle)
    this.#context.fillStyle = rgb(isOver ? this.#colours.muted : this.#colours.text)
    const tasks = plan.tasks.get(node)
    const words = tasks
      ? `${caption(plan, node)} (${tasks.length})`
      : `${visibleText(plan.keys[node] ?? '')} ${visibleText(plan.titles[node] ?? '')}`
    this.#write(words, x + 18, middle, width - 24)
  }

  #drawMarks(): void {
    const { selected, layout } = this.#scene
    for (const [node, colour, width] of [
      [this.#scene.hover, this.#colours.text, 1],
      [selected, this.#colours.accent, 2],
    ] as const) {
      const shown = node === null ? undefined : layout.shown[node]
      if (shown === undefined) continue
      const box = this.#boxOf(shown)
      const [wide, high] = [Math.max(8, box.width), Math.max(8, box.height)]
      this.#context.lineWidth = width
      this.#context.strokeStyle = rgb(colour)
      this.#context.strokeRect(
        box.x + (box.width - wide) / 2 - 2,
        box.y + (box.height - high) / 2 - 2,
        wide + 4,
        high + 4,
      )
    }
  }

  #useFont(size: number, isBold: boolean): void {
    this.#font.use(this.#context, size, isBold)
  }

  #write(text: string, x: number, y: number, width: number): void {
    this.#font.write(this.#context, text, x, y, width)
  }
}

const pair = (from: number, to: number): number => from * 0x100000 + to

export function criticalEdges({ critical }: Plan): ReadonlySet<number> {
  return new Set(critical.slice(1).map((node, at) => pair(critical[at] ?? 0, node)))
}

const caption = (plan: Plan, node: number): string => visibleText(plan.titles[node] || plan.keys[node] || '')
