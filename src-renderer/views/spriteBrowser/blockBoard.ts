import { isCharacterRom } from '@shared/c64/video'
import { blocksOfCell, paintCell, type BlockColours, type CellShape } from '@shared/graphics/blockPainter'
import type { GuessLimits } from '@shared/graphics/blockShape'
import { BrowsedBlocks, cellsOf, type BlockSource, type BrowsedRange } from '@shared/graphics/browsedBlocks'
import { SPRITE_BYTES, type SharedSpriteColours, type SpriteLook } from '@shared/graphics/artwork'
import { ownRom, type GraphicsImage } from '@shared/graphics/grab'
import type { SpriteUses } from '@shared/graphics/spriteUses'
import { imageDataWord, mix } from '../../widgets/heat'
import type { CellTarget } from '../../widgets/pixelGrid/PixelGrid'
import type { ThemeColours } from '../../widgets/themeColours'

/** How long a use is marked, ever fainter, ms. */
const LATELY_MS = 60_000
const FADE_STEPS = 12
/** Share of the background in the colours of an unlikely block. */
const UNLIKELY_SHARE = 0.65
const UNUSED = -1

export interface BoardOptions {
  readonly range: BrowsedRange
  readonly shape: CellShape
  readonly limits: GuessLimits
  readonly show: 'all' | 'likely' | 'used'
  /** The VIC-II's character ROM takes the place of RAM. */
  readonly asSeen: boolean
  readonly palette: readonly number[]
  readonly coloursOf: (image: GraphicsImage) => SharedSpriteColours
  readonly lookOf: (used: SpriteLook | undefined, background: number) => SpriteLook
  readonly uses: SpriteUses
}

export class BlockBoard {
  readonly blocks: BrowsedBlocks
  readonly #options: BoardOptions
  readonly #perCell: number
  readonly #total: number
  #image: GraphicsImage | null = null
  #shared: SharedSpriteColours = { background: 0, multicolour1: 0, multicolour2: 0 }
  #colours = new Map<number, BlockColours>()
  #unusedLook: SpriteLook | null = null
  #likely: Uint8Array
  readonly #steps: Int8Array
  readonly #changed: Uint8Array
  readonly #drawn: Uint8Array
  readonly #drawnIn: (BlockColours | undefined)[]
  #allChanged = true
  #isWhole = true
  #cells: readonly number[] | null

  constructor(options: BoardOptions) {
    this.#options = options
    this.blocks = new BrowsedBlocks(options.range)
    this.#perCell = blocksOfCell(options.shape)
    this.#total = cellsOf(this.blocks.count, options.shape)
    this.#cells = options.show === 'all' ? null : []
    this.#likely = new Uint8Array(this.blocks.count)
    this.#steps = new Int8Array(this.blocks.count).fill(UNUSED)
    this.#changed = new Uint8Array(this.blocks.count)
    this.#drawn = new Uint8Array(this.blocks.count * SPRITE_BYTES)
    this.#drawnIn = new Array<BlockColours | undefined>(this.blocks.count)
  }

  get cells(): readonly number[] | null {
    return this.#cells
  }

  get count(): number {
    return this.#cells?.length ?? this.#total
  }

  /** Changes may have been missed: the next frame is compared whole. */
  forget(): void {
    this.#isWhole = true
  }

  /**
   * @param dirtyPages see {@link BrowsedBlocks.update}
   * @param now of the clock of the uses
   */
  take(image: GraphicsImage, dirtyPages: Uint8Array, now: number): void {
    const { coloursOf } = this.#options
    this.#image = image
    this.#unusedLook = null
    const shared = coloursOf(image)
    this.#allChanged ||= Object.values(shared).join() !== Object.values(this.#shared).join()
    if (this.#allChanged) this.#colours.clear()
    this.#shared = shared
    this.blocks.update(this.#source(image), this.#isWhole ? null : dirtyPages)
    this.#isWhole = false
    this.#changed.fill(0)
    this.#noteUses(now)
  }

  settle(): void {
    this.#allChanged = false
  }

  /**
   * What was shown once stays, so that nothing moves away under the pointer.
   * @returns whether more cells are shown
   */
  guess(): boolean {
    const { limits, show, uses } = this.#options
    const likely = this.blocks.likely(limits)
    likely.forEach((one, block) => {
      if (one !== this.#likely[block]) this.#changed[block] = 1
    })
    this.#likely = likely
    if (this.#cells === null) return false
    const before = new Set(this.#cells)
    const isShown = (block: number) =>
      (show === 'likely' && likely[block] === 1) || uses.all.has(this.blocks.addressOf(block))
    const cells = Array.from({ length: this.#total }, (_, cell) => cell).filter(
      (cell) => before.has(cell) || this.#blocksFrom(cell * this.#perCell).some(isShown),
    )
    if (cells.length === before.size) return false
    this.#cells = cells
    return true
  }

  isLikely(block: number): boolean {
    return this.#likely[block] === 1
  }

  blocksAt(at: number): number[] {
    const first = this.#firstBlockAt(at)
    return first === null ? [] : this.#blocksFrom(first)
  }

  /** The blocks of a cell follow each other; null where there is no cell. */
  #firstBlockAt(at: number): number | null {
    const cell = this.#cells === null ? at : this.#cells[at]
    return cell === undefined || cell >= this.#total ? null : cell * this.#perCell
  }

  hasChanged(at: number): boolean {
    if (this.#allChanged) return true
    const first = this.#firstBlockAt(at)
    if (first === null) return false
    for (let block = first; block < first + this.#perCell; block++)
      if (this.#changed[block] === 1 || this.blocks.hasChanged(block)) return true
    return false
  }

  paint(at: number, { words, width, at: place, isThere }: CellTarget): void {
    const image = this.#image
    const first = this.#firstBlockAt(at)
    if (!image || first === null) return
    const source = this.#source(image)
    paintCell({ words, width }, place, this.#options.shape, (n) => {
      const block = first + n
      const address = this.blocks.addressOf(block)
      const colours = this.#coloursOf(block, address)
      const isDrawn = isThere && this.#drawnIn[block] === colours
      const drawn = { bytes: this.#drawn, at: block * SPRITE_BYTES, isThere: isDrawn }
      this.#drawnIn[block] = colours
      return { memory: source.memoryOf(address), address: source.offsetOf(address), colours, drawn }
    })
  }

  markOf(at: number, theme: ThemeColours): number | null {
    const first = this.#firstBlockAt(at)
    if (first === null) return null
    let step = UNUSED
    for (let block = first; block < first + this.#perCell; block++) step = Math.max(step, this.#steps[block] ?? UNUSED)
    if (step === FADE_STEPS) return theme.accent
    return step > 0 ? mix(theme.bg, theme.warn, step / FADE_STEPS) : null
  }

  #blocksFrom(first: number): number[] {
    return Array.from({ length: this.#perCell }, (_, n) => first + n)
  }

  #noteUses(now: number): void {
    const { uses } = this.#options
    for (const [address, use] of uses.all) {
      const block = this.blocks.blockAt(address)
      if (block === null) continue
      const left = 1 - (now - use.time) / LATELY_MS
      const step = uses.now.has(address)
        ? FADE_STEPS
        : Math.max(0, Math.min(FADE_STEPS - 1, Math.ceil(left * FADE_STEPS)))
      if (step === this.#steps[block]) continue
      this.#steps[block] = step
      this.#changed[block] = 1
    }
  }

  #source(image: GraphicsImage): BlockSource {
    const { asSeen } = this.#options
    const isRom = (address: number) => asSeen && isCharacterRom(address)
    return {
      memoryOf: (address) => (isRom(address) ? (ownRom(image) ?? nothing) : image.ram),
      offsetOf: (address) => (isRom(address) ? address & 0x0fff : address),
    }
  }

  #coloursOf(block: number, address: number): BlockColours {
    const { palette, lookOf, uses } = this.#options
    const { background, multicolour1, multicolour2 } = this.#shared
    const used = uses.all.get(address)?.look
    const { colour, multicolour } = used ? lookOf(used, background) : (this.#unusedLook ??= lookOf(used, background))
    const isDim = !this.isLikely(block) && used === undefined
    const key = colour | (multicolour ? 16 : 0) | (isDim ? 32 : 0)
    const known = this.#colours.get(key)
    if (known) return known
    const word = (of: number): number => {
      const rgb = palette[of] ?? 0
      return imageDataWord(isDim ? mix(rgb, palette[background] ?? 0, UNLIKELY_SHARE) : rgb)
    }
    const colours = Int32Array.from(
      multicolour
        ? [word(background), word(multicolour1), word(colour), word(multicolour2)]
        : [word(background), word(colour)],
    )
    this.#colours.set(key, colours)
    return colours
  }
}

const nothing = new Uint8Array(0x1000)
