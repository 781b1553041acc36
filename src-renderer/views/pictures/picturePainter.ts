import { decodeVideo, videoModeTitles } from '@shared/c64/video'
import { isFli, SCREEN_CELLS, usesCharacterRom } from '@shared/graphics/artwork'
import { eachBitmapLine, eachScreenLine, type TakeLine } from '@shared/graphics/artworkPixels'
import { likelyFli, type LikelyFli } from '@shared/graphics/fli'
import { frameChanges } from '@shared/graphics/frameChanges'
import type { GraphicsImage } from '@shared/graphics/grab'
import { shownPicture, type PictureChoices, type ShownPicture } from '@shared/graphics/shownPicture'
import { LineCanvas } from '../../frames/lineCanvas'

type PicturePart = 'picture' | 'cells' | 'colours'

export interface PictureLook {
  readonly part: PicturePart
  /** Sixteen colours, 0xRRGGBB. */
  readonly palette: readonly number[]
}

/** Four stripes, or two: one for each colour that a cell can have. */
const FOUR_STRIPES = 0b00011011
const TWO_STRIPES = 0b00001111
const SOLID = 0xff

const noRom = new Uint8Array(0x1000)

export class PicturePainter {
  readonly #canvas = new LineCanvas(40, 25)
  #shown: ShownPicture | null = null
  #notes: readonly string[] = []
  #mayBeSplit = false

  /** Null in an invalid mode, and before the first frame. */
  get shown(): ShownPicture | null {
    return this.#shown
  }

  get mayBeSplit(): boolean {
    return this.#mayBeSplit
  }

  get notes(): readonly string[] {
    return this.#notes
  }

  /** @param written as `likelyFli` has it */
  read(image: GraphicsImage, choices: PictureChoices, written: ReadonlySet<number> | null): void {
    const fli = choices.mode === null ? likelyFli(image, written) : null
    this.#shown = shownPicture(image, fli ? { ...choices, isFli: true } : choices)
    const changes = frameChanges(image.io, written)
    this.#mayBeSplit = changes !== null
    this.#notes = [...notesOf(image, this.#shown, fli, choices), ...(changes === null ? [] : [changes])]
  }

  draw(canvas: HTMLCanvasElement | null, image: GraphicsImage, { part, palette }: PictureLook): void {
    const { shown } = this
    if (!shown) return
    const { artwork } = shown
    const rom = image.characterRom ?? noRom
    this.#canvas.draw(canvas, palette, (take) => {
      if (part === 'colours') eachColour(image.colorRam, take)
      else {
        const taken = part === 'cells' ? striped(take) : take
        if (artwork.kind === 'screen') eachScreenLine(artwork, rom, taken)
        else eachBitmapLine(artwork, taken)
      }
    })
  }
}

const striped =
  (take: TakeLine): TakeLine =>
  (cell, y, _byte, colours) =>
    take(cell, y, colours.length > 2 ? FOUR_STRIPES : TWO_STRIPES, colours)

function eachColour(colorRam: Uint8Array, take: TakeLine): void {
  for (let cell = 0; cell < SCREEN_CELLS; cell++) {
    const colours = [0, (colorRam[cell] ?? 0) & 0x0f]
    for (let y = 0; y < 8; y++) take(cell, y, SOLID, colours)
  }
}

function notesOf(
  image: GraphicsImage,
  shown: ShownPicture | null,
  fli: LikelyFli | null,
  choices: PictureChoices,
): string[] {
  const video = decodeVideo(image.io)
  const notes: string[] = []
  if (!video.visible) notes.push('These do not look like VIC-II registers: the program has switched the I/O area off.')
  if (fli) notes.push(`Likely FLI: drawn with eight screens. ${fli.reasons.join(' ')}`)
  else if (shown?.artwork.kind === 'bitmap' && isFli(shown.artwork) && choices.isFli)
    notes.push('Drawn as FLI, as chosen.')
  if (!video.displayOn && choices.mode === null)
    notes.push('The display is off ($D011): the machine shows its border only.')
  if (choices.mode !== null && choices.mode !== video.mode)
    notes.push(`The VIC-II is in another mode: ${videoModeTitles[video.mode]}.`)
  if (shown && usesCharacterRom(shown.artwork) && image.romNote !== undefined) notes.push(image.romNote)
  return notes
}
