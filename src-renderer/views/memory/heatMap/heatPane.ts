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
  /** What this space has; the rest of the map stays empty. */
  readonly range: AddressRange
  /** What the space holds where, as of now; the same object until that changes. */
  readonly places: () => Places
  /** What makes the map hot, as of now. */
  readonly heat: () => Heat
  readonly cursor: number
  /** The addresses that the grid beside the map shows. */
  readonly window: () => AddressRange
}

/** Room for the regions' names right of the map, CSS px. */
const GUTTER = 92
const LABEL_FONT = 11
/** From this size on, a cell has room for its two hex digits, CSS px. */
const DIGITS_FROM = 18

/** The 256 x 256 map on a canvas: one cell an address, one row a page. */
export class HeatPane {
  hover: number | null = null

  readonly #canvas: HTMLCanvasElement
  readonly #cells = new ImageData(MAP_SIDE, MAP_SIDE)
  readonly #words = new Uint32Array(this.#cells.data.buffer)
  readonly #map = document.createElement('canvas')
  #config: HeatConfig
  #view: MapView | null = null
  #size: Size = { width: 1, height: 1 }
  #colours: ThemeColours | undefined
  #table: Uint32Array = new Uint32Array(0)
  /** Lines and names of the regions, which change only with view, size and theme. */
  readonly #guides = document.createElement('canvas')
  #guidesAreStale = true
  #places: Places | undefined
  #mark: number | null = null

  constructor(canvas: HTMLCanvasElement, config: HeatConfig) {
    this.#canvas = canvas
    this.#config = config
    this.#map.width = MAP_SIDE
    this.#map.height = MAP_SIDE
    this.layout()
  }

  configure(config: HeatConfig): void {
    // The keyboard took over: the pointer's cell comes back when the pointer moves.
    if (config.cursor !== this.#config.cursor) this.hover = null
    this.#config = config
    frames.requestDraw()
  }

  /** Points out an address, such as the PC; null for none. */
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
    this.#size = { width: Math.max(1, clientWidth - GUTTER), height: Math.max(1, clientHeight) }
    if (this.#view) this.#view = clampView(this.#view, this.#size, this.#ratio)
    this.#guidesAreStale = true
    frames.requestDraw()
  }

  /** Display pixels for a CSS px. */
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

  /** Zooms around a point, CSS px; around the cursor when none is given. */
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

  draw(now: number): void {
    const context = this.#canvas.getContext('2d')
    const cells = this.#map.getContext('2d')
    // Behind another tab the pane has no size.
    if (!context || !cells || this.#canvas.width === 0 || this.#canvas.height === 0) return
    const { space, range, heat } = this.#config
    const colours = this.#useTheme()
    const places = this.#usePlaces()
    if (range.end - range.start < 0x10000) this.#words.fill(imageDataWord(colours.bg))
    const bytes = frames.image(space)
    const newest = paintHeat(bytes, heat(), now, this.#table, this.#words, range.start, range.end)
    cells.putImageData(this.#cells, 0, 0)

    const { zoom, left, top } = this.view
    const scale = this.#ratio
    const width = Math.min(this.#size.width, MAP_SIDE * zoom)
    const height = Math.min(this.#size.height, MAP_SIDE * zoom)
    context.setTransform(scale, 0, 0, scale, 0, 0)
    context.clearRect(0, 0, this.#canvas.width, this.#canvas.height)
    context.imageSmoothingEnabled = false
    context.drawImage(this.#map, left, top, width / zoom, height / zoom, 0, 0, width, height)
    if (zoom >= DIGITS_FROM) this.#drawDigits(context, bytes, width, height)
    if (this.#guidesAreStale) this.#drawGuides(colours, places, width, height)
    context.drawImage(this.#guides, 0, 0, this.#guides.width / scale, this.#guides.height / scale)
    this.#drawMarks(context, colours, width, height)
    if (newest > now - FADE_MS) frames.requestDraw()
  }

  #setView(view: MapView | null): void {
    this.#view = view
    this.#guidesAreStale = true
    frames.requestDraw()
  }

  #useTheme(): ThemeColours {
    const colours = themeColours()
    if (colours !== this.#colours) {
      this.#colours = colours
      this.#guidesAreStale = true
      this.#table = heatTable({
        ground: colours.panel,
        ink: colours.text,
        changed: colours.changed,
        stale: colours['bad-soft'],
      })
    }
    return colours
  }

  #usePlaces(): Places {
    const places = this.#config.places()
    if (places !== this.#places) this.#guidesAreStale = true
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

  /** A line where each region starts, and its name beside the map where there is room. */
  #drawGuides(colours: ThemeColours, places: Places, width: number, height: number): void {
    this.#guidesAreStale = false
    this.#guides.width = this.#canvas.width
    this.#guides.height = this.#canvas.height
    const context = this.#guides.getContext('2d')
    if (!context) return
    context.scale(this.#ratio, this.#ratio)
    const { zoom, top } = this.view
    const { range } = this.#config
    const shown = places.regions.filter(({ start, end }) => end >= range.start && start < range.end)
    const bands = shown.map(({ name, start, end }) => ({
      name,
      from: ((start >> 8) - top) * zoom,
      to: ((end >> 8) + 1 - top) * zoom,
    }))
    context.font = `${LABEL_FONT}px ${getComputedStyle(this.#canvas).fontFamily}`
    context.textAlign = 'left'
    context.textBaseline = 'top'
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
    // The part that the grid shows, as a bar between map and names.
    const { start, end } = this.#config.window()
    const from = Math.max(0, (start / MAP_SIDE - top) * zoom)
    const to = Math.min(height, (end / MAP_SIDE - top) * zoom)
    context.fillStyle = rgb(colours.accent)
    if (to >= from) context.fillRect(width + 1, from, 2, Math.max(2, to - from))
    if (this.#mark !== null) this.#frameCell(context, this.#mark, colours.changed)
    this.#frameCell(context, this.#config.cursor, colours.accent)
    if (this.hover !== null) this.#frameCell(context, this.hover, colours.text)
  }

  /** A frame around a cell, in two colours so that it is seen on any ground; at least 5 px wide. */
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
