import type { DetailsOf } from '@shared/contract/runDetails'

/** What a tuning run has of its own, as far as it could be read. Words outside the specification stand as they are. */
export type TuningDetails = DetailsOf<'tuning'>
export type Diagnosis = TuningDetails['diagnoses'][number]
export type Issue = TuningDetails['issues'][number]
type ShownFix = TuningDetails['fixes'][number]
export type Fix = Omit<ShownFix, 'changes'> & {
  readonly changes: readonly Omit<ShownFix['changes'][number], 'matches'>[]
}
/** What its state says alone. */
export type StateDetails = Omit<TuningDetails, 'fixes' | 'left'> & { readonly fixes: Fix[] }
export type AppliedFix = Fix['applied'][number]
export type HistoryEntry = TuningDetails['history'][number]
