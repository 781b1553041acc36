import { distance, toOklab, type PaletteColours } from './oklab'
import type { Dither, PhotoOptions } from './options'
import type { ScaledPhoto } from './scalePhoto'

export interface CellChoices {
  readonly cellWidth: number
  readonly cellHeight: number
  readonly columns: number
  readonly count: number
  readonly colours: Uint8Array
}

export const freeChoices = ({ width, height }: ScaledPhoto): CellChoices => ({
  cellWidth: width,
  cellHeight: height,
  columns: 1,
  count: 16,
  colours: Uint8Array.from({ length: 16 }, (_, colour) => colour),
})

type DitherOptions = Pick<PhotoOptions, 'dither' | 'strength'>

/** @returns a colour 0 to 15 for each pixel; clear pixels get 0 */
export function ditherPhoto(
  photo: ScaledPhoto,
  palette: PaletteColours,
  choices: CellChoices,
  { dither, strength }: DitherOptions,
): Uint8Array {
  const size = bayerSizes[dither]
  return size === undefined
    ? diffuse(photo, palette, choices, dither === 'off' ? 0 : strength / 100)
    : order(photo, palette, choices, size, strength / 100)
}

const cellAt = ({ cellWidth, cellHeight, columns }: CellChoices, x: number, y: number): number =>
  Math.floor(y / cellHeight) * columns + Math.floor(x / cellWidth)

/** Floyd-Steinberg, each second row from right to left; errors are in linear light. */
function diffuse(photo: ScaledPhoto, palette: PaletteColours, choices: CellChoices, strength: number): Uint8Array {
  const { width, height, light, clear } = photo
  const shown = new Uint8Array(width * height)
  const lab = new Float32Array(3)
  let errors = new Float32Array((width + 2) * 3)
  let below = new Float32Array((width + 2) * 3)
  for (let y = 0; y < height; y++) {
    const forward = y % 2 === 0 ? 1 : -1
    for (let n = 0; n < width; n++) {
      const x = forward === 1 ? n : width - 1 - n
      const pixel = y * width + x
      if (clear[pixel] === 1) continue
      const from = (x + 1) * 3
      const red = clamp((light[pixel * 3] ?? 0) + (errors[from] ?? 0))
      const green = clamp((light[pixel * 3 + 1] ?? 0) + (errors[from + 1] ?? 0))
      const blue = clamp((light[pixel * 3 + 2] ?? 0) + (errors[from + 2] ?? 0))
      toOklab(lab, 0, red, green, blue)
      const colour = nearest(lab, palette, choices, cellAt(choices, x, y))
      shown[pixel] = colour
      if (strength === 0) continue
      spread(errors, below, from, forward * 3, 0, (red - (palette.light[colour * 3] ?? 0)) * strength)
      spread(errors, below, from, forward * 3, 1, (green - (palette.light[colour * 3 + 1] ?? 0)) * strength)
      spread(errors, below, from, forward * 3, 2, (blue - (palette.light[colour * 3 + 2] ?? 0)) * strength)
    }
    const done = errors
    errors = below
    below = done.fill(0)
  }
  return shown
}

const clamp = (value: number): number => (value < 0 ? 0 : value > 1 ? 1 : value)

function spread(row: Float32Array, below: Float32Array, from: number, step: number, part: number, error: number): void {
  const add = (to: Float32Array, at: number, share: number): void => {
    to[at + part] = (to[at + part] ?? 0) + (error * share) / 16
  }
  add(row, from + step, 7)
  add(below, from - step, 3)
  add(below, from, 5)
  add(below, from + step, 1)
}

function nearest(lab: Float32Array, palette: PaletteColours, { colours, count }: CellChoices, cell: number): number {
  let best = 0
  let least = Infinity
  for (let n = 0; n < count; n++) {
    const colour = colours[cell * count + n] ?? 0
    const away = distance(lab, 0, palette.lab, colour * 3)
    if (away < least) [least, best] = [away, colour]
  }
  return best
}

const bayerSizes: Readonly<Partial<Record<Dither, number>>> = { bayer2: 2, bayer4: 4, bayer8: 8 }

function thresholds(size: number): Float32Array {
  const at = (x: number, y: number): number => {
    let value = 0
    for (let bit = 1; bit < size; bit *= 2) {
      const [right, down] = [(x & bit) !== 0 ? 1 : 0, (y & bit) !== 0 ? 1 : 0]
      value = value * 4 + ((right ^ down) * 2 + down)
    }
    return (value + 0.5) / (size * size)
  }
  return Float32Array.from({ length: size * size }, (_, n) => at(n % size, Math.floor(n / size)))
}

const MIX_LEVELS = 16
/** Against speckles: what a mix of two colours costs that are far from each other. */
const MIX_COST = 0.1
const MIXED_AT_MOST = 5

/** The pattern of two colours that comes nearest to each pixel (after J. Yliluoma's ordered dithering). */
function order(
  photo: ScaledPhoto,
  palette: PaletteColours,
  choices: CellChoices,
  size: number,
  strength: number,
): Uint8Array {
  const { width, height, light, clear } = photo
  const shown = new Uint8Array(width * height)
  const matrix = thresholds(size)
  const mixer = makeMixer(palette)
  const lab = new Float32Array(3)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const pixel = y * width + x
      if (clear[pixel] === 1) continue
      toOklab(lab, 0, light[pixel * 3] ?? 0, light[pixel * 3 + 1] ?? 0, light[pixel * 3 + 2] ?? 0)
      const mix = mixer.best(light, pixel * 3, lab, nearestOf(lab, palette, choices, cellAt(choices, x, y)))
      const threshold = 0.5 + ((matrix[(y % size) * size + (x % size)] ?? 0.5) - 0.5) * strength
      shown[pixel] = mix.share > threshold ? mix.second : mix.first
    }
  return shown
}

function nearestOf(
  lab: Float32Array,
  palette: PaletteColours,
  { colours, count }: CellChoices,
  cell: number,
): readonly number[] {
  const list = [...colours.subarray(cell * count, cell * count + count)]
  if (count <= MIXED_AT_MOST) return list
  const away = new Map(list.map((colour) => [colour, distance(lab, 0, palette.lab, colour * 3)]))
  return list.sort((a, b) => (away.get(a) ?? 0) - (away.get(b) ?? 0)).slice(0, MIXED_AT_MOST)
}

function makeMixer(palette: PaletteColours) {
  const mixes = mixTable(palette)
  const mix = { first: 0, second: 0, share: 0 }
  const best = (light: Float32Array, at: number, lab: Float32Array, colours: readonly number[]): typeof mix => {
    let least = Infinity
    for (let i = 0; i < colours.length; i++)
      for (let j = i; j < colours.length; j++) {
        // Always in one order, so that patterns of neighbours match.
        const [a, b] = [Math.min(colours[i] ?? 0, colours[j] ?? 0), Math.max(colours[i] ?? 0, colours[j] ?? 0)]
        const share = i === j ? 0 : shareOf(palette, light, at, a, b)
        const level = Math.round(share * MIX_LEVELS)
        const away =
          distance(lab, 0, mixes, ((a * 16 + b) * (MIX_LEVELS + 1) + level) * 3) +
          MIX_COST * share * (1 - share) * distance(palette.lab, a * 3, palette.lab, b * 3)
        if (away >= least) continue
        least = away
        mix.first = a
        mix.second = b
        mix.share = share
      }
    return mix
  }
  return { best }
}

function shareOf(palette: PaletteColours, light: Float32Array, at: number, a: number, b: number): number {
  let [along, length] = [0, 0]
  for (let part = 0; part < 3; part++) {
    const from = palette.light[a * 3 + part] ?? 0
    const way = (palette.light[b * 3 + part] ?? 0) - from
    along += ((light[at + part] ?? 0) - from) * way
    length += way * way
  }
  return length === 0 ? 0 : clamp(along / length)
}

function mixTable(palette: PaletteColours): Float32Array {
  const mixes = new Float32Array(256 * (MIX_LEVELS + 1) * 3)
  for (let a = 0; a < 16; a++)
    for (let b = a; b < 16; b++)
      for (let level = 0; level <= MIX_LEVELS; level++) {
        const mixed = (part: number): number => {
          const from = palette.light[a * 3 + part] ?? 0
          return from + ((palette.light[b * 3 + part] ?? 0) - from) * (level / MIX_LEVELS)
        }
        toOklab(mixes, ((a * 16 + b) * (MIX_LEVELS + 1) + level) * 3, mixed(0), mixed(1), mixed(2))
      }
  return mixes
}
