import { zlibSync } from 'fflate'
import { TRANSPARENT } from '../../c64/sprites'
import { PngWriter, type PngOutput, type PngShape } from '../../pngWriter'
import type { Pixels } from '../artworkPixels'

const CLEAR = 16

export interface TimedPicture {
  readonly picture: Pixels
  readonly ms: number
}

export const indexedPng = (picture: Pixels, palette: readonly number[], text?: PngShape['text']): Uint8Array =>
  pngInMemory((output) => {
    const png = new PngWriter(output, shapeOf(picture, palette, [picture], text))
    png.add(withClear(picture.pixels))
    png.end()
  })

export const animatedPng = (pictures: readonly TimedPicture[], palette: readonly number[]): Uint8Array =>
  pngInMemory((output) => {
    const [first] = pictures
    if (!first) return
    const all = pictures.map(({ picture }) => picture)
    const png = new PngWriter(output, shapeOf(first.picture, palette, all), 'animated')
    let time = 0
    for (const { picture, ms } of pictures) {
      png.add(withClear(picture.pixels), time)
      time += ms
    }
    png.end(time)
  })

function shapeOf(
  { width, height }: Pixels,
  palette: readonly number[],
  pictures: readonly Pixels[],
  text?: PngShape['text'],
): PngShape {
  const isClear = pictures.some(({ pixels }) => pixels.includes(TRANSPARENT))
  return {
    width,
    height,
    palette: isClear ? [...palette, 0] : palette,
    ...(isClear ? { transparent: CLEAR } : {}),
    ...(text ? { text } : {}),
  }
}

const withClear = (pixels: Uint8Array): Uint8Array => pixels.map((pixel) => (pixel === TRANSPARENT ? CLEAR : pixel))

export function pngInMemory(write: (output: PngOutput) => void): Uint8Array {
  let bytes = new Uint8Array(65_536)
  let length = 0
  write({
    deflate: (data) => zlibSync(data),
    write: (part, position) => {
      if (position + part.length > bytes.length) {
        const larger = new Uint8Array(Math.max(bytes.length * 2, position + part.length))
        larger.set(bytes)
        bytes = larger
      }
      bytes.set(part, position)
      length = Math.max(length, position + part.length)
    },
  })
  return bytes.slice(0, length)
}
