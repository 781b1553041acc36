import { pixelAspects } from '../../c64/picture'
import { SPRITE_HEIGHT, SPRITE_WIDTH, TRANSPARENT } from '../../c64/sprites'
import { CHARACTER_BYTES, type Artwork, type SpriteSheet } from '../artwork'
import { bitmapPixels, characterPixels, screenPixels, spriteArtPixels, type Pixels } from '../artworkPixels'
import type { ExportOptions } from '../format'

export type PictureOptions = Pick<ExportOptions, 'columns' | 'isTransparent' | 'romCharacters'>
export type Enlargement = Pick<ExportOptions, 'scale' | 'aspect'>

const pixelWidths = { square: 1, ...pixelAspects }

export function artworkPicture(artwork: Artwork, options: PictureOptions): Pixels {
  switch (artwork.kind) {
    case 'sprites':
      return spritesPicture(artwork, options)
    case 'characters':
      return side(
        Array.from({ length: artwork.bytes.length / CHARACTER_BYTES }, (_, code) => characterPixels(artwork, code)),
        { width: 8, height: 8, columns: options.columns, behind: artwork.backgrounds[0] },
      )
    case 'screen':
      return screenPixels(artwork, options.romCharacters)
    case 'bitmap':
      return bitmapPixels(artwork)
  }
}

const spritesPicture = (sheet: SpriteSheet, { columns, isTransparent }: PictureOptions): Pixels => {
  const picture = side(
    sheet.sprites.map((sprite) => spriteArtPixels(sprite, sheet)),
    { width: SPRITE_WIDTH, height: SPRITE_HEIGHT, columns, behind: TRANSPARENT },
  )
  return isTransparent ? picture : before(picture, sheet.background)
}

export const before = (picture: Pixels, background: number): Pixels => ({
  ...picture,
  pixels: picture.pixels.map((pixel) => (pixel === TRANSPARENT ? background : pixel)),
})

interface Grid {
  readonly width: number
  readonly height: number
  readonly columns: number
  readonly behind: number
}

function side(cells: readonly Pixels[], { width, height, columns, behind }: Grid): Pixels {
  const across = Math.max(1, Math.min(columns, cells.length))
  const line = across * width
  const pixels = new Uint8Array(line * height * Math.max(1, Math.ceil(cells.length / across))).fill(behind)
  cells.forEach((cell, index) => {
    const at = Math.floor(index / across) * height * line + (index % across) * width
    for (let y = 0; y < height; y++) pixels.set(cell.pixels.subarray(y * width, (y + 1) * width), at + y * line)
  })
  return { width: line, height: pixels.length / line, pixels }
}

/** One more entry than there are lines. Narrow pixels are made tall, so that no column is lost. */
const lineStarts = (height: number, { scale, aspect }: Enlargement): number[] =>
  Array.from({ length: height + 1 }, (_, y) => Math.round((y * scale) / pixelWidths[aspect]))

export function enlarged({ width, height, pixels }: Pixels, enlargement: Enlargement): Pixels {
  const { scale } = enlargement
  if (scale === 1 && enlargement.aspect === 'square') return { width, height, pixels }
  const starts = lineStarts(height, enlargement)
  const wide = width * scale
  const all = new Uint8Array(wide * (starts[height] ?? 0))
  const line = new Uint8Array(wide)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) line.fill(pixels[y * width + x] ?? 0, x * scale, (x + 1) * scale)
    for (let to = starts[y] ?? 0; to < (starts[y + 1] ?? 0); to++) all.set(line, to * wide)
  }
  return { width: wide, height: all.length / wide, pixels: all }
}

export function reduced({ width, height, pixels }: Pixels, enlargement: Enlargement): Pixels | null {
  const { scale, aspect } = enlargement
  const small = Math.round((height * pixelWidths[aspect]) / scale)
  const starts = lineStarts(small, enlargement)
  if (width % scale !== 0 || starts[small] !== height) return null
  const narrow = width / scale
  const found = Uint8Array.from(
    { length: narrow * small },
    (_, at) => pixels[(starts[Math.floor(at / narrow)] ?? 0) * width + (at % narrow) * scale] ?? 0,
  )
  const picture = { width: narrow, height: small, pixels: found }
  const again = enlarged(picture, enlargement).pixels
  return again.length === pixels.length && again.every((pixel, at) => pixel === pixels[at]) ? picture : null
}
