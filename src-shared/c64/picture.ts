/**
 * The visible picture with its borders, as x64sc shows it: 384 pixels wide, 4 bits a pixel, the low nibble is the left
 * pixel. The 320x200 display window starts at x = 32 and at line 35 (PAL) or 23 (NTSC).
 */
import type { VideoStandard } from '../contract/machine'
import type { Picture } from '../contract/memory'

export const PICTURE_WIDTH = 384

/** Lines of the picture: 272 (PAL) or 247 (NTSC). The Ultimate's has 240 for NTSC. */
export const pictureHeight = (standard: VideoStandard): 272 | 247 => (standard === 'pal' ? 272 : 247)

/**
 * Width of a pixel relative to its height on a television. https://codebase64.org/doku.php?id=base:pixel_aspect_ratio
 */
export const pixelAspects: Readonly<Record<VideoStandard, number>> = { pal: 0.9365, ntsc: 0.75 }

/** The cycle of a line, from 0, with the first eight pixels of the picture. */
export const FIRST_PICTURE_CYCLE = 13

/** Left edge of the 40-column display window in the picture, pixels. */
export const DISPLAY_X = 32

const displayTops = { 272: 35, 247: 23, 240: 20 } as const

/** Top of the 25-row display window (raster line 51) in a picture of this height, lines. */
export const displayTop = (height: Picture['height']): number => displayTops[height]

export const displayY = (standard: VideoStandard): number => displayTop(pictureHeight(standard))

/**
 * The raster line that picture line 0 shows. PAL shows raster lines 16 to 287; NTSC shows 28 to 262 and then 0 to 11,
 * because its counter wraps within the lower border.
 */
export const firstRasterLine = (standard: VideoStandard): number => 51 - displayY(standard)

/**
 * One byte a pixel (0 to 15; high nibbles are ignored) to two pixels a byte. An odd last pixel goes into a low nibble.
 */
export function packPixels(pixels: Uint8Array): Uint8Array<ArrayBuffer> {
  const packed = new Uint8Array((pixels.length + 1) >> 1)
  for (let index = 0, pixel = 0; index < packed.length; index++, pixel += 2) {
    packed[index] = ((pixels[pixel] ?? 0) & 0x0f) | ((pixels[pixel + 1] ?? 0) << 4)
  }
  return packed
}

export function unpackPixels(packed: Uint8Array, out = new Uint8Array(packed.length * 2)): Uint8Array {
  if (out.length < packed.length * 2)
    throw new RangeError(`${packed.length} packed bytes need room for ${packed.length * 2} pixels`)
  for (let index = 0, pixel = 0; index < packed.length; index++) {
    const pair = packed[index] ?? 0
    out[pixel++] = pair & 0x0f
    out[pixel++] = pair >> 4
  }
  return out
}

interface PairColours {
  readonly palette: readonly number[]
  readonly left: Uint32Array
  readonly right: Uint32Array
}

let pairs: PairColours | undefined

function pairColours(palette: readonly number[]): PairColours {
  if (pairs?.palette === palette) return pairs
  const rgba = Array.from({ length: 16 }, (_, colour) => {
    const rgb = palette[colour] ?? 0
    return ((0xff << 24) | ((rgb & 0xff) << 16) | (rgb & 0xff00) | ((rgb >> 16) & 0xff)) >>> 0
  })
  const left = Uint32Array.from({ length: 256 }, (_, pair) => rgba[pair & 0x0f] ?? 0)
  const right = Uint32Array.from({ length: 256 }, (_, pair) => rgba[pair >> 4] ?? 0)
  pairs = { palette, left, right }
  return pairs
}

/**
 * Paints the picture for an `ImageData`.
 * @param palette sixteen colours as 0xRRGGBB; not changed after its first use
 * @param out width x height pixels, the bytes R G B A in memory (as a little-endian word: 0xAABBGGRR)
 */
export function pictureToRgba(picture: Picture, palette: readonly number[], out: Uint32Array): void {
  const { pixels, width, height } = picture
  if (out.length < width * height)
    throw new RangeError(`a picture of ${width} x ${height} needs room for ${width * height} pixels`)
  const { left, right } = pairColours(palette)
  const count = Math.min(pixels.length, (width * height) / 2)
  for (let index = 0, pixel = 0; index < count; index++) {
    const pair = pixels[index] ?? 0
    out[pixel++] = left[pair] ?? 0
    out[pixel++] = right[pair] ?? 0
  }
}
