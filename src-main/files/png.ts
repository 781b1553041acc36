/** Pictures of the C64 as PNG files. */
import { encode } from 'fast-png'
import { pictureToRgba } from '@shared/c64/picture'
import type { Picture } from '@shared/contract/memory'

/** @param palette sixteen colours as 0xRRGGBB */
export function picturePng(picture: Picture, palette: readonly number[]): Uint8Array {
  const { width, height } = picture
  const rgba = new Uint32Array(width * height)
  pictureToRgba(picture, palette, rgba)
  return encode({ width, height, data: new Uint8Array(rgba.buffer), channels: 4 })
}

/**
 * @param pixels a colour 0 to 15 each, line by line; anything above shows what is behind
 * @param palette sixteen colours as 0xRRGGBB
 */
export function pixelsPng(pixels: Uint8Array, width: number, palette: readonly number[]): Uint8Array {
  const data = new Uint8Array(pixels.length * 4)
  pixels.forEach((pixel, index) => {
    const colour = palette[pixel]
    if (colour !== undefined) data.set([colour >> 16, (colour >> 8) & 0xff, colour & 0xff, 0xff], index * 4)
  })
  return encode({ width, height: pixels.length / width, data, channels: 4 })
}
