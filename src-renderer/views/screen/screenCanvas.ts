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

/** The part of the picture that is shown, in its own pixels. */
function shownPart({ width, height }: Size, borders: ScreenLook['borders']): { x: number; y: number } & Size {
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

/** Draws pictures into a canvas at the size that its surroundings allow. */
export class ScreenCanvas {
  readonly #canvas: HTMLCanvasElement
  readonly #source = document.createElement('canvas')
  #image: ImageData | undefined
  #pixels = new Uint32Array(0)

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas
  }

  /** `space` is what the canvas may fill, CSS px. */
  draw(picture: Picture, space: Size, look: ScreenLook): void {
    const part = shownPart(picture, look.borders)
    const { width, height, zoom } = placePicture(part, space, window.devicePixelRatio, look.scaling)
    this.#paintSource(picture, look.colours)
    setSize(this.#canvas, part.width * zoom, part.height * zoom)
    const { style } = this.#canvas
    style.width = `${width}px`
    style.height = `${height}px`
    style.imageRendering = look.scaling === 'whole' ? 'pixelated' : 'auto'
    const context = this.#canvas.getContext('2d', { alpha: false })
    if (!context) return
    context.imageSmoothingEnabled = false
    context.drawImage(
      this.#source,
      part.x,
      part.y,
      part.width,
      part.height,
      0,
      0,
      part.width * zoom,
      part.height * zoom,
    )
  }

  #paintSource(picture: Picture, colours: readonly number[]): void {
    const context = this.#source.getContext('2d', { alpha: false })
    if (!context) return
    setSize(this.#source, picture.width, picture.height)
    if (this.#image?.height !== picture.height) {
      this.#image = context.createImageData(picture.width, picture.height)
      this.#pixels = new Uint32Array(this.#image.data.buffer)
    }
    pictureToRgba(picture, colours, this.#pixels)
    context.putImageData(this.#image, 0, 0)
  }
}

/** Setting a canvas's size clears it, so only when it changes. */
function setSize(canvas: HTMLCanvasElement, width: number, height: number): void {
  if (canvas.width !== width) canvas.width = width
  if (canvas.height !== height) canvas.height = height
}
