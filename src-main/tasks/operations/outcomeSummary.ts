import { formatAddress } from '@shared/c64/address'
import { describeStop } from '@shared/checkpointStop'
import type { Outcome } from '@shared/contract/running'

export const outcomeSummary = ({ execution, pc, stop }: Outcome) => ({
  execution,
  pc: pc === null ? null : formatAddress(pc),
  stopped: stop === null ? null : describeStop(stop),
})
