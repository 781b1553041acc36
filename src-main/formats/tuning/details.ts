import type { DetailsOf } from '@shared/contract/runDetails'

/** What a tuning run has of its own, as far as it could be read. Words outside the specification stand as they are. */
export type TuningDetails = DetailsOf<'tuning'>
export type Diagnosis = TuningDetails['diagnoses'][number]
export type Issue = TuningDetails['issues'][number]
export type Fix = TuningDetails['fixes'][number]
export type AppliedFix = Fix['applied'][number]
export type HistoryEntry = TuningDetails['history'][number]
