import { TRANSPARENT } from '@shared/c64/sprites'
import type { Pixels } from '@shared/graphics/artworkPixels'

/** @param palette sixteen, 0xRRGGBB */
export function paintPixels(canvas: HTMLCanvasElement, { width, height, pixels }: Pixels, palette: readonly number[]) {
  const image = sizedImage(canvas, width, height)
  pixels.forEach((colour, n) => {
    const rgb = palette[colour] ?? 0
    image.data.set([rgb >> 16, (rgb >> 8) & 0xff, rgb & 0xff, colour === TRANSPARENT ? 0 : 255], n * 4)
  })
  canvas.getContext('2d')?.putImageData(image, 0, 0)
}

export function sizedImage(canvas: HTMLCanvasElement, width: number, height: number): ImageData {
  if (canvas.width !== width) canvas.width = width
  if (canvas.height !== height) canvas.height = height
  return new ImageData(width, height)
}
