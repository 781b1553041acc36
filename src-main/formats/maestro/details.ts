import type { DetailsOf } from '@shared/contract/runDetails'

/** What a Maestro run has of its own, as far as it could be read. Words outside the specification stand as they are. */
export type MaestroDetails = DetailsOf<'maestro'>
export type SessionDetails = NonNullable<MaestroDetails['session']>
export type PhaseDetails = MaestroDetails['phases'][number]
export type PlanDetails = MaestroDetails['plans'][number]
export type DesignGate = MaestroDetails['designGates'][number]
/** One parallel dispatch: `parallel/<id>/`. */
export type Batch = MaestroDetails['batches'][number]
export type BatchAgent = Batch['agents'][number]
export type Tokens = BatchAgent['tokens']
