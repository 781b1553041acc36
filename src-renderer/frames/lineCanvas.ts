import { LinePicture } from '@shared/graphics/linePicture'
import type { TakeLine } from '@shared/graphics/artworkPixels'
import { imageDataWord } from '../widgets/heat'

export class LineCanvas {
  readonly #image: ImageData
  readonly #lines: LinePicture
  #palette: readonly number[] = []
  #canvas: HTMLCanvasElement | null = null

  constructor(columns: number, rows: number) {
    this.#image = new ImageData(columns * 8, rows * 8)
    this.#lines = new LinePicture(columns, rows, new Uint32Array(16), new Uint32Array(this.#image.data.buffer))
  }

  /** @param palette sixteen colours, 0xRRGGBB */
  draw(canvas: HTMLCanvasElement | null, palette: readonly number[], each: (take: TakeLine) => void): void {
    const context = canvas?.getContext('2d', { alpha: false })
    if (!canvas || !context) return
    if (palette !== this.#palette) this.#lines.recolour(Uint32Array.from(palette, imageDataWord))
    this.#palette = palette
    each(this.#lines.take)
    const { width, height } = this.#image
    const isOther = canvas !== this.#canvas || canvas.width !== width || canvas.height !== height
    this.#canvas = canvas
    const changed = this.#lines.takeChanged()
    if (isOther) {
      canvas.width = width
      canvas.height = height
      context.putImageData(this.#image, 0, 0)
    } else if (changed) context.putImageData(this.#image, 0, 0, 0, changed.top, width, changed.bottom - changed.top)
  }
}
