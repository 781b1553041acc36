import type { Space } from '@shared/contract/memory'
import type { Places } from '@shared/c64/banking'
import { frames } from '../../../frames/frames'
import type { AddressRange } from '@shared/c64/address'
import { rgb, themeColours, type ThemeColours } from '../../../widgets/themeColours'
import { FADE_MS, heatTable, imageDataWord, paintHeat, type Heat } from '../../../widgets/heat'
import {
  addressAt,
  clampView,
  fitView,
  MAP_SIDE,
  placeLabels,
  reveal,
  zoomAt,
  type MapView,
  type Size,
} from './mapView'

export interface HeatConfig {
  readonly space: Space
  readonly range: AddressRange
  /** The same object until the places change. */
  readonly places: () => Places
  readonly heat: () => Heat
  readonly cursor: number
  readonly window: () => AddressRange
}

const GUTTER_PX = 92
const LABEL_FONT_PX = 11
/** From this size on, CSS px, a cell has room for its two hex digits. */
const DIGITS_FROM_PX = 18

export interface HeatCanvases {
  /** One pixel per address, scaled by its style, as it changes with every frame. */
  readonly cells: HTMLCanvasElement
  /** Lies over the cells and takes the pointer; drawn only when something changes. */
  readonly marks: HTMLCanvasElement
}

export class HeatPane {
  hover: number | null = null

  readonly #canvas: HTMLCanvasElement
  readonly #cellsCanvas: HTMLCanvasElement
  readonly #cells = new ImageData(MAP_SIDE, MAP_SIDE)
  readonly #words = new Uint32Array(this.#cells.data.buffer)
  #config: HeatConfig
  #view: MapView | null = null
  #size: Size = { width: 1, height: 1 }
  #colours: ThemeColours | undefined
  #table: Uint32Array = new Uint32Array(0)
  #drawnMarks: string | null = null
  #places: Places | undefined
  #mark: number | null = null

  constructor({ cells, marks }: HeatCanvases, config: HeatConfig) {
    this.#canvas = marks
    this.#cellsCanvas = cells
    this.#config = config
    cells.width = MAP_SIDE
    cells.height = MAP_SIDE
    this.layout()
  }

  configure(config: HeatConfig): void {
    // The keyboard took over: the pointer's cell comes back when the pointer moves.
    if (config.cursor !== this.#config.cursor) this.hover = null
    this.#config = config
    frames.requestDraw()
  }

  mark(address: number | null): void {
    if (address === this.#mark) return
    this.#mark = address
    frames.requestDraw()
  }

  layout(): void {
    const { clientWidth, clientHeight } = this.#canvas
    const scale = this.#ratio
    this.#canvas.width = Math.round(clientWidth * scale)
    this.#canvas.height = Math.round(clientHeight * scale)
    this.#size = { width: Math.max(1, clientWidth - GUTTER_PX), height: Math.max(1, clientHeight) }
    if (this.#view) this.#view = clampView(this.#view, this.#size, this.#ratio)
    this.#placeCells()
    frames.requestDraw()
  }

  /** Display pixels per CSS px. */
  get #ratio(): number {
    return window.devicePixelRatio
  }

  get view(): MapView {
    return this.#view ?? fitView(this.#size, this.#ratio)
  }

  get isZoomed(): boolean {
    return this.view.zoom > fitView(this.#size, this.#ratio).zoom * 1.01
  }

  fit(): void {
    this.#setView(null)
  }

  /** @param point CSS px; the cursor where none is given */
  zoom(factor: number, point = this.#cursorPoint): void {
    this.#setView(zoomAt(this.view, factor, point.x, point.y, this.#size, this.#ratio))
  }

  get #cursorPoint(): { x: number; y: number } {
    const { zoom, left, top } = this.view
    const { cursor } = this.#config
    return { x: ((cursor & 0xff) + 0.5 - left) * zoom, y: ((cursor >> 8) + 0.5 - top) * zoom }
  }

  pan(dx: number, dy: number): void {
    const { zoom, left, top } = this.view
    this.#setView(clampView({ zoom, left: left - dx / zoom, top: top - dy / zoom }, this.#size, this.#ratio))
  }

  reveal(address: number): void {
    if (this.isZoomed) this.#setView(reveal(this.view, address, this.#size, this.#ratio))
  }

  addressAt(x: number, y: number): number | null {
    const address = addressAt(this.view, x, y)
    const { start, end } = this.#config.range
    return address !== null && address >= start && address < end ? address : null
  }

  draw(): void {
    const now = frames.changeTime
    const cells = this.#cellsCanvas.getContext('2d')
    // Behind another tab the pane has no size.
    if (!cells || this.#canvas.width === 0 || this.#canvas.height === 0) return
    const { space, range, heat } = this.#config
    const colours = this.#useTheme()
    const places = this.#usePlaces()
    if (range.end - range.start < 0x10000) this.#words.fill(imageDataWord(colours.bg))
    const bytes = frames.image(space)
    const newest = paintHeat(bytes, heat(), now, this.#table, this.#words, range.start, range.end)
    cells.putImageData(this.#cells, 0, 0)
    this.#drawOver(bytes, colours, places)
    if (newest > now - FADE_MS) frames.requestFade()
  }

  #drawOver(bytes: Uint8Array, colours: ThemeColours, places: Places): void {
    const context = this.#canvas.getContext('2d')
    if (!context) return
    const hasDigits = this.view.zoom >= DIGITS_FROM_PX
    const { start, end } = this.#config.window()
    const marks = [this.#config.cursor, this.#mark, this.hover, start, end].join()
    if (marks === this.#drawnMarks && !hasDigits) return
    this.#drawnMarks = marks
    const { width, height } = this.#shownSize
    context.setTransform(this.#ratio, 0, 0, this.#ratio, 0, 0)
    context.clearRect(0, 0, this.#canvas.width, this.#canvas.height)
    if (hasDigits) this.#drawDigits(context, bytes, width, height)
    this.#drawGuides(context, colours, places, width, height)
    this.#drawMarks(context, colours, width, height)
  }

  /** CSS px. */
  get #shownSize(): Size {
    const side = MAP_SIDE * this.view.zoom
    return { width: Math.min(this.#size.width, side), height: Math.min(this.#size.height, side) }
  }

  #placeCells(): void {
    this.#drawnMarks = null
    const { zoom, left, top } = this.view
    const { width, height } = this.#shownSize
    const { style } = this.#cellsCanvas
    style.width = style.height = `${MAP_SIDE * zoom}px`
    style.transform = `translate(${-left * zoom}px, ${-top * zoom}px)`
    style.clipPath = `inset(${top * zoom}px ${(MAP_SIDE - left) * zoom - width}px ${(MAP_SIDE - top) * zoom - height}px ${left * zoom}px)`
  }

  #setView(view: MapView | null): void {
    this.#view = view
    this.#placeCells()
    frames.requestDraw()
  }

  #useTheme(): ThemeColours {
    const colours = themeColours()
    if (colours !== this.#colours) {
      this.#colours = colours
      this.#drawnMarks = null
      this.#table = heatTable({
        ground: colours.panel,
        ink: colours.text,
        hot: { changed: colours.changed, read: colours.accent, run: colours.ok },
        stale: colours['bad-soft'],
      })
    }
    return colours
  }

  #usePlaces(): Places {
    const places = this.#config.places()
    if (places !== this.#places) this.#drawnMarks = null
    this.#places = places
    return places
  }

  #drawDigits(context: CanvasRenderingContext2D, bytes: Uint8Array, width: number, height: number): void {
    const { zoom, left, top } = this.view
    context.font = `${Math.floor(zoom * 0.55)}px ${getComputedStyle(this.#canvas).fontFamily}`
    context.textAlign = 'center'
    context.textBaseline = 'middle'
    context.fillStyle = rgb(themeColours().text)
    const { start, end } = this.#config.range
    for (let row = Math.floor(top); row < Math.min(MAP_SIDE, top + height / zoom); row++) {
      for (let column = Math.floor(left); column < Math.min(MAP_SIDE, left + width / zoom); column++) {
        const address = row * MAP_SIDE + column
        if (address < start || address >= end) continue
        const digits = (bytes[address] ?? 0).toString(16).toUpperCase().padStart(2, '0')
        context.fillText(digits, (column - left + 0.5) * zoom, (row - top + 0.5) * zoom)
      }
    }
  }

  #drawGuides(
    context: CanvasRenderingContext2D,
    colours: ThemeColours,
    places: Places,
    width: number,
    height: number,
  ): void {
    const { zoom, top } = this.view
    const { range } = this.#config
    const shown = places.regions.filter(({ start, end }) => end >= range.start && start < range.end)
    const bands = shown.map(({ name, start, end }) => ({
      name,
      from: ((start >> 8) - top) * zoom,
      to: ((end >> 8) + 1 - top) * zoom,
    }))
    context.font = `${LABEL_FONT_PX}px ${getComputedStyle(this.#canvas).fontFamily}`
    context.textAlign = 'left'
    context.textBaseline = 'top'
    context.lineWidth = 1
    context.strokeStyle = rgb(colours['line-strong'], 0.55)
    context.fillStyle = rgb(colours.muted)
    for (const { from } of bands) {
      if (from <= 0 || from >= height) continue
      context.beginPath()
      context.moveTo(0, Math.round(from) + 0.5)
      context.lineTo(width, Math.round(from) + 0.5)
      context.stroke()
    }
    for (const { name, y } of placeLabels(bands, height)) context.fillText(name, width + 6, y)
  }

  #drawMarks(context: CanvasRenderingContext2D, colours: ThemeColours, width: number, height: number): void {
    const { zoom, top } = this.view
    const { start, end } = this.#config.window()
    const from = Math.max(0, (start / MAP_SIDE - top) * zoom)
    const to = Math.min(height, (end / MAP_SIDE - top) * zoom)
    context.fillStyle = rgb(colours.accent)
    if (to >= from) context.fillRect(width + 1, from, 2, Math.max(2, to - from))
    if (this.#mark !== null) this.#frameCell(context, this.#mark, colours.changed)
    this.#frameCell(context, this.#config.cursor, colours.accent)
    if (this.hover !== null) this.#frameCell(context, this.hover, colours.text)
  }

  /** Two colours, to be visible on any ground; at least 5 px wide. */
  #frameCell(context: CanvasRenderingContext2D, address: number, colour: number): void {
    const { zoom, left, top } = this.view
    const side = Math.max(zoom, 5)
    const x = ((address & 0xff) - left + 0.5) * zoom - side / 2
    const y = ((address >> 8) - top + 0.5) * zoom - side / 2
    if (x + side < 0 || y + side < 0 || x > this.#size.width || y > this.#size.height) return
    context.lineWidth = 3
    context.strokeStyle = rgb(themeColours().panel)
    context.strokeRect(x, y, side, side)
    context.lineWidth = 1.5
    context.strokeStyle = rgb(colour)
    context.strokeRect(x, y, side, side)
  }
}
