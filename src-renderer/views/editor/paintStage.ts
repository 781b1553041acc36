import { TRANSPARENT } from '@shared/c64/sprites'
import type { EditModel } from '@shared/graphics/edit/model'
import type { Area, Parts } from '@shared/graphics/edit/surface'
import type { Spot } from '@shared/graphics/edit/shapes'
import { imageDataWord } from '../../widgets/heat'
import { rgb, type ThemeColours } from '../../widgets/themeColours'

const FINE_GRID_ZOOM = 6

const MAX_ZOOM = 48
/** 64 MB. */
const MAX_MARKED_PIXELS = 16_000_000

export const maxZoom = (width: number, height: number): number =>
  Math.max(1, Math.min(MAX_ZOOM, Math.floor(Math.sqrt(MAX_MARKED_PIXELS / (width * height)))))

export const pixelSize = ({ surface, scale }: EditModel) => ({
  width: surface.width * scale,
  height: surface.height * scale,
})

export class PixelPainter {
  #colours = new Uint8Array(0)
  #image: ImageData | null = null
  #last: { readonly key: string; readonly palette: readonly number[]; readonly bytes: Parts } | null = null

  paint(
    canvases: readonly (HTMLCanvasElement | null)[],
    model: EditModel,
    parts: Parts,
    palette: readonly number[],
  ): void {
    const last = this.#last
    const bytes = model.text ? [...parts, model.text.characters] : parts
    if (last?.key === model.key && last.palette === palette && sameBytes(last.bytes, bytes)) return
    this.#last = { key: model.key, palette, bytes: bytes.map((part) => part.slice()) }
    const { width, height } = pixelSize(model)
    if (this.#image?.width !== width || this.#image.height !== height) {
      this.#image = new ImageData(width, height)
      this.#colours = new Uint8Array(width * height)
    }
    model.paint(parts, this.#colours)
    const words = new Uint32Array(this.#image.data.buffer)
    this.#colours.forEach((colour, at) => {
      words[at] = colour === TRANSPARENT ? 0 : imageDataWord(palette[colour] ?? 0)
    })
    for (const canvas of canvases) {
      if (!canvas) continue
      if (canvas.width !== width) canvas.width = width
      if (canvas.height !== height) canvas.height = height
      canvas.getContext('2d')?.putImageData(this.#image, 0, 0)
    }
  }
}

const sameBytes = (one: Parts, other: Parts): boolean =>
  one.length === other.length &&
  one.every((part, index) => {
    const against = other[index]
    return against?.length === part.length && part.every((byte, at) => byte === against[at])
  })

interface Marks {
  readonly cursor: Spot
  readonly selection: Area | null
  readonly hasKeyboard: boolean
}

export function paintMarks(
  canvas: HTMLCanvasElement,
  model: EditModel,
  zoom: number,
  { cursor, selection, hasKeyboard }: Marks,
  theme: ThemeColours,
): void {
  const { surface, scale, grid } = model
  const point = zoom * scale
  const [width, height] = [surface.width * point, surface.height * point]
  if (canvas.width !== width) canvas.width = width
  if (canvas.height !== height) canvas.height = height
  const context = canvas.getContext('2d')
  if (!context) return
  context.clearRect(0, 0, width, height)
  if (point >= FINE_GRID_ZOOM)
    lines(context, canvas, point * surface.widthAt(0, 0), point, rgb(theme['line-strong'], scale === 1 ? 0.35 : 0.2))
  if (grid.x * point >= 2 * FINE_GRID_ZOOM && grid.x > 1)
    lines(context, canvas, grid.x * point, grid.y * point, rgb(theme.accent, 0.6))
  if (selection) {
    const { x, y, width, height } = selection
    context.fillStyle = rgb(theme.accent, 0.2)
    context.fillRect(x * point, y * point, width * point, height * point)
    frame(context, x * point, y * point, width * point, height * point, theme)
  }
  if (!hasKeyboard) return
  const across = surface.widthAt(cursor.x, cursor.y)
  frame(context, (cursor.x - (cursor.x % across)) * point, cursor.y * point, across * point, point, theme)
}

/** Two lines, so that it is seen on every colour. */
function frame(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  width: number,
  height: number,
  theme: ThemeColours,
): void {
  context.lineWidth = 2
  context.strokeStyle = rgb(theme.panel)
  context.strokeRect(x, y, width, height)
  context.lineWidth = 1
  context.strokeStyle = rgb(theme.accent)
  context.strokeRect(x - 0.5, y - 0.5, width + 1, height + 1)
}

function lines(
  context: CanvasRenderingContext2D,
  { width, height }: HTMLCanvasElement,
  stepX: number,
  stepY: number,
  style: string,
): void {
  context.strokeStyle = style
  context.lineWidth = 1
  context.beginPath()
  for (let x = stepX; x < width; x += stepX) {
    context.moveTo(x - 0.5, 0)
    context.lineTo(x - 0.5, height)
  }
  for (let y = stepY; y < height; y += stepY) {
    context.moveTo(0, y - 0.5)
    context.lineTo(width, y - 0.5)
  }
  context.stroke()
}
