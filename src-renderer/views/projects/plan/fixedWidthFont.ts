type Context = CanvasRenderingContext2D

/** Fixed width, so that what has room is counted, not measured. */
export class FixedWidthFont {
  readonly #canvas: HTMLCanvasElement
  readonly #letterWidths = new Map<string, number>()
  #family: string | undefined

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas
  }

  /** @param size px */
  use(context: Context, size: number, isBold: boolean): void {
    this.#family ??= getComputedStyle(this.#canvas).fontFamily
    context.font = `${isBold ? '600 ' : ''}${size}px ${this.#family}`
    context.textAlign = 'left'
    context.textBaseline = 'middle'
  }

  /** Cut to this width; nothing where no letter fits. */
  write(context: Context, text: string, x: number, y: number, width: number): void {
    const letters = Math.floor(width / (this.#letterWidth(context) || 1))
    if (letters < 1) return
    context.fillText(text.length > letters ? `${text.slice(0, letters - 1)}…` : text, x, y)
  }

  #letterWidth(context: Context): number {
    const known = this.#letterWidths.get(context.font)
    if (known !== undefined) return known
    const { width } = context.measureText('0')
    this.#letterWidths.set(context.font, width)
    return width
  }
}
