import { rgb, type ColourName, type ThemeColours } from '../../../widgets/themeColours'
import type { Size } from './layered'
import { standingLooks, standingOf, type Plan } from './plan'
import type { PlaneView } from './plane'
import type { PlanLayout } from './planLayout'

const MAX_WIDTH_PX = 128
const MAX_HEIGHT_PX = 72
const MARGIN_PX = 4
const DOT_PX = 1.5

export class Minimap {
  readonly #plane = document.createElement('canvas')
  #drawn: { plan: Plan; layout: PlanLayout; colours: ThemeColours; ratio: number } | undefined

  static sizeOf(plane: Size): Size {
    const scale = scaleOf(plane)
    return { width: plane.width * scale + 2 * MARGIN_PX, height: plane.height * scale + 2 * MARGIN_PX }
  }

  /** x and y: a point of the map, CSS px. */
  static pointAt(plane: Size, x: number, y: number): { x: number; y: number } {
    const scale = scaleOf(plane)
    return { x: (x - MARGIN_PX) / scale, y: (y - MARGIN_PX) / scale }
  }

  /** The map's corner is at this point of the context, CSS px. */
  paint(
    context: CanvasRenderingContext2D,
    at: { readonly x: number; readonly y: number },
    plan: Plan,
    layout: PlanLayout,
    colours: ThemeColours,
    view: PlaneView,
    window: Size,
  ): void {
    const { width, height } = Minimap.sizeOf(layout)
    this.#drawPlane(plan, layout, colours)
    context.drawImage(this.#plane, at.x, at.y, width, height)
    const scale = scaleOf(layout)
    const clamp = (place: number, most: number): number => Math.min(most - 1, Math.max(1, place))
    const left = clamp(MARGIN_PX + view.left * scale, width)
    const top = clamp(MARGIN_PX + view.top * scale, height)
    const right = clamp(MARGIN_PX + (view.left + window.width / view.scale) * scale, width)
    const bottom = clamp(MARGIN_PX + (view.top + window.height / view.scale) * scale, height)
    context.lineWidth = 1.5
    context.strokeStyle = rgb(colours.accent)
    context.strokeRect(at.x + left, at.y + top, Math.max(3, right - left), Math.max(3, bottom - top))
  }

  #drawPlane(plan: Plan, layout: PlanLayout, colours: ThemeColours): void {
    const ratio = globalThis.devicePixelRatio
    const drawn = this.#drawn
    if (drawn?.plan === plan && drawn.layout === layout && drawn.colours === colours && drawn.ratio === ratio) return
    this.#drawn = { plan, layout, colours, ratio }
    const { width, height } = Minimap.sizeOf(layout)
    this.#plane.width = Math.ceil(width * ratio)
    this.#plane.height = Math.ceil(height * ratio)
    const context = this.#plane.getContext('2d')
    if (!context) return
    context.scale(this.#plane.width / width, this.#plane.height / height)
    context.fillStyle = rgb(colours.panel)
    context.fillRect(0, 0, width, height)
    context.strokeStyle = rgb(colours['line-strong'])
    context.lineWidth = 1
    context.strokeRect(0.5, 0.5, width - 1, height - 1)
    const scale = scaleOf(layout)
    const fill = (node: number, colour: ColourName, alpha: number): void => {
      const [x = NaN, y = NaN, wide = 0, high = 0] = [
        layout.x[node],
        layout.y[node],
        layout.widths[node],
        layout.heights[node],
      ]
      if (Number.isNaN(x)) return
      context.fillStyle = rgb(colours[colour], alpha)
      context.fillRect(
        MARGIN_PX + x * scale,
        MARGIN_PX + y * scale,
        Math.max(DOT_PX, wide * scale),
        Math.max(DOT_PX, high * scale),
      )
    }
    for (const [phase, [first]] of plan.tasks)
      if (first !== undefined && layout.shown[first] === first) fill(phase, 'raised', 1)
    plan.keys.forEach((_, node) => {
      const [first] = plan.tasks.get(node) ?? []
      if (first !== undefined && layout.shown[first] === first) return
      const { colour } = standingLooks[standingOf(plan, node)]
      fill(node, colour, colour === 'muted' ? 0.5 : 0.9)
    })
  }
}

const scaleOf = ({ width, height }: Size): number =>
  Math.min(MAX_WIDTH_PX / Math.max(1, width), MAX_HEIGHT_PX / Math.max(1, height))
