import type { SlowMotion } from './contract/machine'
import { counted } from './countedText'

export const slowMotionText = ({ unit, perSecond }: SlowMotion): string =>
  `${counted(perSecond, unit === 'line' ? 'raster line' : 'instruction')} a second`
