import { counted } from '@shared/countedText'
import type { LoopEnd } from '../loop'

const MAX_STEPS = 50

export const CONTINUE = 'Start it again to continue.'

export function stepLimit(steps: number, wanted: number | undefined): LoopEnd | undefined {
  if (steps < (wanted ?? MAX_STEPS)) return undefined
  const count = counted(steps, 'step')
  return wanted === undefined
    ? { outcome: 'limit', message: `Stopped after ${count}, the limit of one start.`, hint: CONTINUE }
    : { outcome: 'paused', message: `Stopped after ${count}, as requested.`, hint: CONTINUE }
}
