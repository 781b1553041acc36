import { DISPLAY_X, displayTop, pictureToRgba } from '@shared/c64/picture'
import type { Picture } from '@shared/contract/memory'

export interface ScreenLook {
  /** Sixteen colours, 0xRRGGBB. */
  readonly colours: readonly number[]
  readonly scaling: 'fit' | 'whole'
  readonly borders: 'shown' | 'cropped'
  /** Width of a pixel, in its heights. */
  readonly aspect: number
}

interface Size {
  readonly width: number
  readonly height: number
}

type PictureSize = Pick<Picture, 'width' | 'height'>

const DISPLAY: Size = { width: 320, height: 200 }

/** More canvas pixels per C64 pixel cost time in every frame and are hardly seen. */
const MAX_ZOOM = 3

interface Point {
  readonly x: number
  readonly y: number
}

interface Part extends Size {
  readonly x: number
  readonly y: number
}

interface Placement extends Size {
  readonly part: Part
  /** Canvas pixels for each C64 pixel. */
  readonly zoom: number
}

/** @param room in the picture's pixels */
function shownPart(picture: PictureSize, room: Size, borders: ScreenLook['borders']): Part {
  const top = displayTop(picture.height)
  if (borders === 'cropped') return { x: DISPLAY_X, y: top, ...DISPLAY }
  const wide = Math.max(0, Math.floor(room.width) - DISPLAY.width)
  const high = Math.max(0, Math.floor(room.height) - DISPLAY.height)
  const left = Math.min(DISPLAY_X, wide >> 1)
  const above = Math.min(top, high >> 1)
  const below = Math.min(picture.height - top - DISPLAY.height, high - above)
  return {
    x: DISPLAY_X - left,
    y: top - above,
    width: DISPLAY.width + 2 * left,
    height: DISPLAY.height + above + below,
  }
}

const scaleToFit = ({ width, height }: Size, space: Size, pixelRatio: number, aspect: number): number =>
  Math.min(space.width / (width * aspect), space.height / height) * pixelRatio

const isWhole = (space: Size, pixelRatio: number, { scaling, aspect }: Pick<ScreenLook, 'scaling' | 'aspect'>) =>
  scaling === 'whole' && scaleToFit(DISPLAY, space, pixelRatio, aspect) >= 1

/**
 * In CSS px. `whole`: each C64 pixel is the largest whole number of device pixels at which the display window fits; the
 * border gives way. Below one device pixel it is as `fit`. `fit`: all of the picture, drawn at the next whole number
 * and fitted smoothly by the compositor, so that edges stay sharp and columns equally wide. Where pixels are narrower
 * than high, only their height is a whole number.
 */
export function placePicture(
  picture: PictureSize,
  space: Size,
  pixelRatio: number,
  { scaling, borders, aspect }: Omit<ScreenLook, 'colours'>,
): Placement {
  const scaleOf = (size: Size) => scaleToFit(size, space, pixelRatio, aspect)
  if (isWhole(space, pixelRatio, { scaling, aspect })) {
    const scale = Math.floor(scaleOf(DISPLAY))
    const room = { width: (space.width * pixelRatio) / (scale * aspect), height: (space.height * pixelRatio) / scale }
    const part = shownPart(picture, room, borders)
    const shown = scale / pixelRatio
    // Narrow pixels are no whole number of device pixels: drawn large, for the compositor to fit.
    const zoom = aspect === 1 ? 1 : Math.min(MAX_ZOOM, scale)
    return { part, width: part.width * shown * aspect, height: part.height * shown, zoom }
  }
  const part = shownPart(picture, picture, borders)
  const scale = scaleOf(part)
  const shown = Math.max(scale, 0.1) / pixelRatio
  const zoom = Math.min(MAX_ZOOM, Math.max(1, Math.ceil(scale - 0.01)))
  return { part, width: part.width * shown * aspect, height: part.height * shown, zoom }
}

/**
 * A canvas could do the same, but without a graphics card it takes ten times as long.
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

export class ScreenCanvas {
  readonly #frame: HTMLElement
  readonly #canvas: HTMLCanvasElement
  #part: Part = { x: 0, y: 0, width: 1, height: 1 }
  #pixels = new Uint32Array(0)
  #image: ImageData | undefined
  #words = new Uint32Array(0)

  constructor(frame: HTMLElement, canvas: HTMLCanvasElement) {
    this.#frame = frame
    this.#canvas = canvas
  }

  /** @param space what the picture may fill, CSS px */
  draw(picture: Picture, space: Size, look: ScreenLook): void {
    const { part, width, height, zoom } = placePicture(picture, space, window.devicePixelRatio, look)
    this.#part = part
    setSize(this.#canvas, part.width * zoom, part.height * zoom)
    const { style } = this.#frame
    style.width = `${width}px`
    style.height = `${height}px`
    style.setProperty('--lines', String(part.height))
    style.setProperty('--columns', String(part.width))
    style.setProperty('--first-line', String(part.y))
    style.setProperty('--first-column', String(part.x))
    this.#canvas.style.imageRendering =
      look.aspect === 1 && isWhole(space, window.devicePixelRatio, look) ? 'pixelated' : 'auto'
    const context = this.#canvas.getContext('2d', { alpha: false })
    if (!context) return
    const count = picture.width * picture.height
    if (this.#pixels.length !== count) this.#pixels = new Uint32Array(count)
    pictureToRgba(picture, look.colours, this.#pixels)
    const image = this.#imageOf(part.width * zoom, part.height * zoom)
    magnify(this.#pixels, picture.width, part, zoom, this.#words)
    context.putImageData(image, 0, 0)
  }

  pixelAt({ x, y }: Point): Point {
    const box = this.#canvas.getBoundingClientRect()
    const part = this.#part
    return {
      x: part.x + ((x - box.left) / box.width) * part.width,
      y: part.y + ((y - box.top) / box.height) * part.height,
    }
  }

  pointOf({ x, y }: Point): Point {
    const box = this.#canvas.getBoundingClientRect()
    const part = this.#part
    return {
      x: box.left + ((x - part.x) / part.width) * box.width,
      y: box.top + ((y - part.y) / part.height) * box.height,
    }
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
