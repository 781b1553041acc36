import { encode, hasPngSignature } from 'fast-png'
import { pictureToRgba } from '@shared/c64/picture'
import { AppError } from '@shared/contract/errors'
import type { Picture } from '@shared/contract/memory'
import { decodePng } from '@shared/graphics/photo/png'
import type { RgbaImage } from '@shared/rgbaImage'

export const picturePng = (picture: Picture, palette: readonly number[]): Uint8Array =>
  rgbaPng(pictureRgba(picture, palette))

/** @param palette sixteen, as 0xRRGGBB */
export function pictureRgba(picture: Picture, palette: readonly number[]): RgbaImage {
  const { width, height } = picture
  const rgba = new Uint32Array(width * height)
  pictureToRgba(picture, palette, rgba)
  return { width, height, rgba: new Uint8Array(rgba.buffer) }
}

export const rgbaPng = ({ width, height, rgba }: RgbaImage): Uint8Array =>
  encode({ width, height, data: rgba, channels: 4 })

/** Where the first chunk, IHDR, has width and height; big-endian. */
const WIDTH_OFFSET = 16
const HEIGHT_OFFSET = 20

/**
 * Transparent pixels get the colour that they hide.
 * @param max larger pictures are refused before unpacking
 * @throws AppError INVALID for no PNG file, a damaged one, or a larger one
 */
export function readPng(bytes: Uint8Array, max: { readonly width: number; readonly height: number }): RgbaImage {
  if (bytes.length < HEIGHT_OFFSET + 4 || !hasPngSignature(bytes)) throw new AppError('INVALID', 'This is no PNG file.')
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const size = { width: header.getUint32(WIDTH_OFFSET), height: header.getUint32(HEIGHT_OFFSET) }
  if (size.width > max.width || size.height > max.height)
    throw new AppError(
      'INVALID',
      `This picture has ${size.width} x ${size.height} pixels, and may have ${max.width} x ${max.height}.`,
    )
  const { width, height, rgba } = decodePng(bytes)
  for (let alpha = 3; alpha < rgba.length; alpha += 4) rgba[alpha] = 0xff
  return { width, height, rgba }
}

/** @param palette 0xRRGGBB for each pixel value; values above it are transparent */
export function indexedRgba(pixels: Uint8Array, width: number, palette: readonly number[]): RgbaImage {
  const rgba = new Uint8Array(pixels.length * 4)
  pixels.forEach((pixel, index) => {
    const colour = palette[pixel]
    if (colour !== undefined) rgba.set([colour >> 16, (colour >> 8) & 0xff, colour & 0xff, 0xff], index * 4)
  })
  return { width, height: pixels.length / width, rgba }
}

export const pixelsPng = (pixels: Uint8Array, width: number, palette: readonly number[]): Uint8Array =>
  rgbaPng(indexedRgba(pixels, width, palette))
