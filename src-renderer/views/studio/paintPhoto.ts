import { bitmapPixels, screenPixels, spriteArtPixels, type Pixels } from '@shared/graphics/artworkPixels'
import type { SpriteSheet } from '@shared/graphics/artwork'
import { NOTICED_LOSS, type Conversion } from '@shared/graphics/photo/convertPhoto'
import type { Photo } from '@shared/graphics/photo/photo'
import { SPRITE_HEIGHT, SPRITE_WIDTH } from '@shared/c64/sprites'
import { sizedImage } from '../../widgets/paintPixels'

const NO_ROM = new Uint8Array(4096)

export function pixelsOf({ artwork, columns }: Conversion): Pixels {
  if (artwork.kind === 'bitmap') return bitmapPixels(artwork)
  if (artwork.kind === 'screen') return screenPixels(artwork, NO_ROM)
  return spriteGrid(artwork, columns)
}

function spriteGrid(sheet: SpriteSheet, columns: number): Pixels {
  const width = columns * SPRITE_WIDTH
  const height = Math.ceil(sheet.sprites.length / columns) * SPRITE_HEIGHT
  const pixels = new Uint8Array(width * height)
  sheet.sprites.forEach((sprite, n) => {
    const one = spriteArtPixels(sprite, sheet)
    const at = Math.floor(n / columns) * SPRITE_HEIGHT * width + (n % columns) * SPRITE_WIDTH
    for (let y = 0; y < SPRITE_HEIGHT; y++)
      pixels.set(one.pixels.subarray(y * SPRITE_WIDTH, (y + 1) * SPRITE_WIDTH), at + y * width)
  })
  return { width, height, pixels }
}

export function paintPhoto(canvas: HTMLCanvasElement, { width, height, rgba }: Photo): void {
  const image = sizedImage(canvas, width, height)
  image.data.set(rgba)
  canvas.getContext('2d')?.putImageData(image, 0, 0)
}

export function paintLoss(canvas: HTMLCanvasElement, { columns, rows, loss }: Conversion, [r, g, b]: Rgb): void {
  const image = sizedImage(canvas, columns, rows)
  loss.forEach((value, cell) => {
    const alpha = value > NOTICED_LOSS ? Math.min(220, 80 + value * 10) : 0
    image.data.set([r, g, b, alpha], cell * 4)
  })
  canvas.getContext('2d')?.putImageData(image, 0, 0)
}

type Rgb = readonly [number, number, number]
