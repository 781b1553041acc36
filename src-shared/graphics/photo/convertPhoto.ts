import { counted } from '../../countedText'
import type { PreviewArtwork } from '../previewPlan'
import { adjustLight } from './adjustLight'
import { buildArtwork } from './buildArtwork'
import { pixelAt, pixelCosts, searchColours } from './cellColours'
import { decodePhoto } from './decode'
import { ditherPhoto, freeChoices, type CellChoices } from './dither'
import { SET_CHARACTERS, mergeCharacters, type MergedCharacters } from './mergeCharacters'
import { distance, paletteColours, toOklab, type PaletteColours } from './oklab'
import { photoDefaults, type PhotoOptions } from './options'
import { cellBytes, cellChoices, nibbleCosts, packCells, unpackCells } from './packCells'
import type { Photo } from './photo'
import { scalePhoto, type ScaledPhoto } from './scalePhoto'
import { chosenShared, targetShape, type TargetShape } from './targetShape'

/** OKLab x 100 per pixel, about what a person just notices. */
export const NOTICED_LOSS = 2

export interface Conversion {
  readonly artwork: PreviewArtwork
  readonly numbers: {
    readonly colours: number
    readonly characters: { readonly used: number; readonly merged: number } | null
    /** Average per pixel, OKLab x 100: between the picture at the target's size and what is shown. */
    readonly error: number
    readonly cells: number
    readonly lossyCells: number
  }
  readonly columns: number
  readonly rows: number
  /** Loss of each cell through the limits of colours and characters: average per pixel, OKLab x 100. */
  readonly loss: Float32Array
  readonly notes: readonly string[]
}

/** In steps, so that the caller can stop between them. Yields the progress, 0 to 1. */
export function* convertInSteps(photo: Photo, options: PhotoOptions): Generator<number, Conversion, void> {
  const shape = targetShape(options)
  const palette = paletteColours(options.palette)
  const scaled = scalePhoto(photo, shape, options)
  adjustLight(scaled.light, options)
  if (shape.sharedBits.length === 0) fillClear(scaled, palette, options.background ?? 0)
  yield 0.3
  const lab = labOf(scaled)
  const free = options.dither === 'off' ? null : ditherPhoto(scaled, palette, freeChoices(scaled), options)
  yield 0.4
  const pixels = pixelCosts(scaled, lab, palette, shape, free)
  const colours = searchColours(pixels, shape, chosenShared(shape, options))
  const choices = cellChoices(shape, colours)
  yield 0.7
  const dithered = ditherPhoto(scaled, palette, choices, options)
  const packed = packCells(shape, dithered, scaled.clear, choices)
  yield 0.8
  const isText = options.target === 'characters' || options.target === 'multicolourCharacters'
  const merged = isText ? mergeCharacters(packed, nibbleCosts(shape, pixels.costs, choices)) : null
  const bytes = merged?.bytes ?? packed
  const shown = unpackCells(
    shape,
    bytes,
    (cell) => (merged ? (merged.codes[cell] ?? 0) : cell) * cellBytes(shape),
    choices,
  )
  const loss = cellLoss(shape, scaled, lab, palette, choices, merged ? { before: dithered, after: shown } : null)
  return {
    artwork: buildArtwork(options, colours, bytes, merged),
    ...describe(shape, loss, merged, { error: meanError(scaled, lab, palette, shown), colours: new Set(shown).size }),
  }
}

export function convert(photo: Photo, options: PhotoOptions): Conversion {
  const steps = convertInSteps(photo, options)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/**
 * Takes PNG, JPEG or GIF; missing options have the value of {@link photoDefaults}.
 * @throws AppError INVALID for a file that cannot be read
 */
export const convertPhoto = (file: Uint8Array, options: Partial<PhotoOptions> = {}): Conversion =>
  convert(decodePhoto(file), { ...photoDefaults, ...options })

function fillClear({ light, clear }: ScaledPhoto, palette: PaletteColours, background: number): void {
  for (let pixel = 0; pixel < clear.length; pixel++)
    if (clear[pixel] === 1) light.set(palette.light.subarray(background * 3, background * 3 + 3), pixel * 3)
  clear.fill(0)
}

function labOf({ light }: ScaledPhoto): Float32Array {
  const lab = new Float32Array(light.length)
  for (let at = 0; at < light.length; at += 3) toOklab(lab, at, light[at] ?? 0, light[at + 1] ?? 0, light[at + 2] ?? 0)
  return lab
}

const differenceOf = (lab: Float32Array, pixel: number, palette: PaletteColours, colour: number): number =>
  Math.sqrt(distance(lab, pixel * 3, palette.lab, colour * 3)) * 100

function meanError({ clear }: ScaledPhoto, lab: Float32Array, palette: PaletteColours, shown: Uint8Array): number {
  let [sum, count] = [0, 0]
  for (let pixel = 0; pixel < shown.length; pixel++) {
    if (clear[pixel] === 1) continue
    sum += differenceOf(lab, pixel, palette, shown[pixel] ?? 0)
    count++
  }
  return count === 0 ? 0 : sum / count
}

function cellLoss(
  shape: TargetShape,
  { clear }: ScaledPhoto,
  lab: Float32Array,
  palette: PaletteColours,
  choices: CellChoices,
  merging: { readonly before: Uint8Array; readonly after: Uint8Array } | null,
): Float32Array {
  const { columns, rows, cellWidth, cellHeight } = shape
  const size = cellWidth * cellHeight
  const loss = new Float32Array(columns * rows)
  const isOwn = new Uint8Array(16)
  for (let cell = 0; cell < loss.length; cell++) {
    isOwn.fill(0)
    for (let n = 0; n < choices.count; n++) isOwn[choices.colours[cell * choices.count + n] ?? 0] = 1
    let sum = 0
    for (let p = 0; p < size; p++) {
      const pixel = pixelAt(shape, cell, p)
      if (clear[pixel] === 1) continue
      let [free, own] = [Infinity, Infinity]
      for (let colour = 0; colour < 16; colour++) {
        const away = distance(lab, pixel * 3, palette.lab, colour * 3)
        if (away < free) free = away
        if (isOwn[colour] === 1 && away < own) own = away
      }
      sum += (Math.sqrt(own) - Math.sqrt(free)) * 100
      if (!merging) continue
      const [before, after] = [merging.before[pixel] ?? 0, merging.after[pixel] ?? 0]
      if (before !== after) sum += differenceOf(lab, pixel, palette, after) - differenceOf(lab, pixel, palette, before)
    }
    loss[cell] = Math.max(0, sum / size)
  }
  return loss
}

function describe(
  { columns, rows }: TargetShape,
  loss: Float32Array,
  merged: MergedCharacters | null,
  { error, colours }: { readonly error: number; readonly colours: number },
): Omit<Conversion, 'artwork'> {
  const lossyCells = loss.reduce((count, value) => count + (value > NOTICED_LOSS ? 1 : 0), 0)
  const gone = merged ? merged.before - merged.after : 0
  const cells = columns * rows
  const notes = [
    ...(gone === 0
      ? []
      : [
          `${counted(gone, 'character')} of ${merged?.before ?? 0} merged into the most alike: a set holds ${SET_CHARACTERS}.`,
        ]),
    ...(lossyCells === 0 ? [] : [`${counted(lossyCells, 'cell')} of ${cells} lost colours to the limits of the mode.`]),
  ]
  const characters = merged ? { used: merged.after, merged: gone } : null
  return { columns, rows, loss, notes, numbers: { colours, characters, error, cells, lossyCells } }
}
