import type { MachineState } from '@shared/contract/machine'

/** Below this share of the frames that are read, the window is behind. */
const BAD_SHARE = 0.8
/** Frames a second up to which a missing one is no sign. */
const FEW_FRAMES = 10

/** Whether a window that paints `paintRate` frames a second misses many of those that are read. */
export const isRateBad = (
  paintRate: number,
  { sampling, execution, slow }: Pick<MachineState, 'sampling' | 'execution' | 'slow'>,
) =>
  execution === 'running' &&
  slow === null &&
  paintRate > 0 &&
  sampling.measured > FEW_FRAMES &&
  paintRate < sampling.measured * BAD_SHARE
