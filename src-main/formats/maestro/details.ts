import type { DetailsOf } from '@shared/contract/runDetails'

export type MaestroDetails = DetailsOf<'maestro'>
export type SessionDetails = NonNullable<MaestroDetails['session']>
export type PhaseDetails = MaestroDetails['phases'][number]
export type PlanDetails = MaestroDetails['plans'][number]
export type DesignGate = MaestroDetails['designGates'][number]
export type Batch = MaestroDetails['batches'][number]
export type BatchAgent = Batch['agents'][number]
export type Tokens = BatchAgent['tokens']
