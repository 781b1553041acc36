import type { DetailsOf } from '@shared/contract/runDetails'

export type TuningDetails = DetailsOf<'tuning'>
export type Diagnosis = TuningDetails['diagnoses'][number]
export type Issue = TuningDetails['issues'][number]
type ShownFix = TuningDetails['fixes'][number]
export type Fix = Omit<ShownFix, 'changes'> & {
  readonly changes: readonly Omit<ShownFix['changes'][number], 'matches'>[]
}
export type StateDetails = Omit<TuningDetails, 'fixes' | 'left'> & { readonly fixes: Fix[] }
export type AppliedFix = Fix['applied'][number]
export type HistoryEntry = TuningDetails['history'][number]
