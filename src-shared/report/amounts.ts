import type { AgentUse } from '../agentUse'
import { counted } from '../countedText'

const HOUR_MS = 3_600_000

/** @param worked ms */
export const workText = (worked: number): string =>
  worked < HOUR_MS ? `${(worked / 60_000).toFixed(1)} min` : `${(worked / HOUR_MS).toFixed(1)} h`

export const costText = ({ cost, estimated, unpriced }: Pick<AgentUse, 'cost' | 'estimated' | 'unpriced'>): string =>
  `${estimated > 0 ? '≈ ' : ''}$${cost.toFixed(2)}${estimated > 0 ? ` ($${estimated.toFixed(2)} of it from your prices)` : ''}${unpriced === 0 ? '' : `, and ${counted(unpriced, 'turn')} of unknown cost`}`
