/** Where the raster beam stands in the visible picture. Source: C. Bauer, “The MOS 6567/6569 video controller”, 3.4. */
import type { VideoStandard } from '../contract/machine'
import { DISPLAY_X, firstRasterLine, PICTURE_WIDTH, pictureHeight } from './picture'

/** Pixels of a line, and the X coordinate with which its first cycle begins; the display window begins at 24. */
const lineOf: Readonly<
  Record<VideoStandard, { readonly pixels: number; readonly firstX: number; readonly lines: number }>
> = {
  pal: { pixels: 504, firstX: 0x194, lines: 312 },
  ntsc: { pixels: 520, firstX: 0x19c, lines: 263 },
}
const DISPLAY_COORDINATE = 24
const PIXELS_PER_CYCLE = 8

/**
 * In the picture's pixels; null outside of what it shows.
 * @param line the raster line @param cycle of the line, from 0
 */
export function beamIn(
  standard: VideoStandard,
  line: number,
  cycle: number,
): { readonly x: number | null; readonly y: number | null } {
  const { pixels, firstX, lines } = lineOf[standard]
  const x = (firstX + cycle * PIXELS_PER_CYCLE - DISPLAY_COORDINATE + DISPLAY_X) % pixels
  const y = (line - firstRasterLine(standard) + lines) % lines
  return { x: x < PICTURE_WIDTH ? x : null, y: y < pictureHeight(standard) ? y : null }
}
