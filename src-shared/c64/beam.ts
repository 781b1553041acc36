import type { VideoStandard } from '../contract/machine'
import { firstRasterLine, PICTURE_WIDTH, pictureHeight } from './picture'

const linesOf: Readonly<Record<VideoStandard, number>> = { pal: 312, ntsc: 263 }
const PIXELS_PER_CYCLE = 8
/**
 * Where a colour written in the cycle before cycle 0 shows: outside of the picture. Measured in x64sc 3.7.1, the same
 * for the 6569 and the 6567, by test/vice/beam.test.ts.
 */
const FIRST_X = -103

/**
 * The pixel at which what the CPU has written so far begins to show; null outside of the visible picture.
 * @param line the raster line
 * @param cycle of the line, from 0, that comes next
 */
export function beamIn(
  standard: VideoStandard,
  line: number,
  cycle: number,
): { readonly x: number | null; readonly y: number | null } {
  const lines = linesOf[standard]
  const x = FIRST_X + cycle * PIXELS_PER_CYCLE
  const y = (line - firstRasterLine(standard) + lines) % lines
  return { x: x >= 0 && x < PICTURE_WIDTH ? x : null, y: y < pictureHeight(standard) ? y : null }
}
