import { DISPLAY_X, displayY, pictureToRgba } from '@shared/c64/picture'
import type { Picture } from '@shared/contract/memory'

export interface ScreenLook {
  /** Sixteen, 0xRRGGBB. */
  readonly colours: readonly number[]
  readonly scaling: 'fit' | 'whole'
  readonly borders: 'shown' | 'cropped'
}

interface Size {
  readonly width: number
  readonly height: number
}

const DISPLAY: Size = { width: 320, height: 200 }

/** More canvas pixels for each C64 pixel cost time in every frame and are hardly seen. */
const MAX_ZOOM = 3

interface Part extends Size {
  readonly x: number
  readonly y: number
}

/** The part of the picture that is shown, in its own pixels. */
function shownPart({ width, height }: Size, borders: ScreenLook['borders']): Part {
  if (borders === 'shown') return { x: 0, y: 0, width, height }
  return { x: DISPLAY_X, y: displayY(height === 272 ? 'pal' : 'ntsc'), ...DISPLAY }
}

/**
 * How large the picture stands in the space there is, CSS px, and how many canvas pixels each C64 pixel has. `whole`
 * makes each C64 pixel a whole number of device pixels. `fit` draws it at the next whole number and lets the compositor
 * fit that smoothly: edges stay sharp, and no column of pixels is wider than its neighbour.
 */
export function placePicture(
  picture: Size,
  space: Size,
  pixelRatio: number,
  scaling: ScreenLook['scaling'],
): Size & { zoom: number } {
  const scale = Math.min(space.width / picture.width, space.height / picture.height) * pixelRatio
  const whole = Math.max(1, Math.floor(scale))
  const shown = (scaling === 'whole' ? whole : Math.max(scale, 0.1)) / pixelRatio
  return {
    width: picture.width * shown,
    height: picture.height * shown,
    zoom: scaling === 'whole' ? 1 : Math.min(MAX_ZOOM, Math.max(1, Math.ceil(scale - 0.01))),
  }
}

/**
 * Copies a part of an image with each pixel `zoom` pixels wide and high. A canvas would draw it so too, but without a
 * graphics card that takes ten times as long.
 * @param rowLength pixels in a row of the image
 * @param out part.width * zoom x part.height * zoom pixels
 */
export function magnify(pixels: Uint32Array, rowLength: number, part: Part, zoom: number, out: Uint32Array): void {
  const width = part.width * zoom
  for (let y = 0; y < part.height; y++) {
    const from = (part.y + y) * rowLength + part.x
    const row = y * zoom * width
    for (let x = 0, to = row; x < part.width; x++) {
      const pixel = pixels[from + x] ?? 0
      for (let times = 0; times < zoom; times++) out[to++] = pixel
    }
    for (let copy = 1; copy < zoom; copy++) out.copyWithin(row + copy * width, row, row + width)
  }
}

/** Draws pictures into a canvas at the size that its surroundings allow. */
export class ScreenCanvas {
  readonly #canvas: HTMLCanvasElement
  #pixels = new Uint32Array(0)
  #image: ImageData | undefined
  #words = new Uint32Array(0)

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas
  }

  /** `space` is what the canvas may fill, CSS px. */
  draw(picture: Picture, space: Size, look: ScreenLook): void {
    const part = shownPart(picture, look.borders)
    const { width, height, zoom } = placePicture(part, space, window.devicePixelRatio, look.scaling)
    setSize(this.#canvas, part.width * zoom, part.height * zoom)
    const { style } = this.#canvas
    style.width = `${width}px`
    style.height = `${height}px`
    style.imageRendering = look.scaling === 'whole' ? 'pixelated' : 'auto'
    const context = this.#canvas.getContext('2d', { alpha: false })
    if (!context) return
    const count = picture.width * picture.height
    if (this.#pixels.length !== count) this.#pixels = new Uint32Array(count)
    pictureToRgba(picture, look.colours, this.#pixels)
    const image = this.#imageOf(part.width * zoom, part.height * zoom)
    magnify(this.#pixels, picture.width, part, zoom, this.#words)
    context.putImageData(image, 0, 0)
  }

  #imageOf(width: number, height: number): ImageData {
    if (this.#image?.width === width && this.#image.height === height) return this.#image
    this.#image = new ImageData(width, height)
    this.#words = new Uint32Array(this.#image.data.buffer)
    return this.#image
  }
}

/** Setting a canvas's size clears it, so only when it changes. */
function setSize(canvas: HTMLCanvasElement, width: number, height: number): void {
  if (canvas.width !== width) canvas.width = width
  if (canvas.height !== height) canvas.height = height
}
