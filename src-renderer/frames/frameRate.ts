import type { MachineState } from '@shared/contract/machine'

/** Share of the read frames; below it the window is behind. */
const BAD_SHARE = 0.8
/** Frames a second up to which a missing one is no sign. */
const FEW_FRAMES = 10

export const isRateBad = (
  paintRate: number,
  { sampling, execution, slow }: Pick<MachineState, 'sampling' | 'execution' | 'slow'>,
) =>
  execution === 'running' &&
  slow === null &&
  paintRate > 0 &&
  sampling.measured > FEW_FRAMES &&
  paintRate < sampling.measured * BAD_SHARE
