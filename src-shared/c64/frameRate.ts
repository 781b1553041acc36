import type { VideoStandard } from '../contract/machine'
import { clockRates } from './registers'
import { cyclesPerLine, rasterOf } from './vicii'

const rateOf = (standard: VideoStandard): number =>
  clockRates[standard] / (cyclesPerLine[standard] * rasterOf[standard].lines)

/** 50.12 and 59.83. */
export const framesPerSecond: Readonly<Record<VideoStandard, number>> = { pal: rateOf('pal'), ntsc: rateOf('ntsc') }
