import { formatAddress } from '@shared/c64/address'
import { describeStop } from '@shared/checkpointStop'
import type { Outcome } from '@shared/contract/running'

/** Where a machine is, for the result of a task. */
export const outcomeSummary = ({ execution, pc, stop }: Outcome) => ({
  execution,
  pc: pc === null ? null : formatAddress(pc),
  stopped: stop === null ? null : describeStop(stop),
})
