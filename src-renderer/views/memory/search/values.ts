import { create } from 'zustand'
import type { Payload } from '@shared/contract/contract'

export const useValueChanges = create<Readonly<Record<string, number>>>(() => ({}))

export const receiveValuesChanged = ({ machine }: Payload<'values.changed'>): void =>
  useValueChanges.setState((changes) => ({ [machine]: (changes[machine] ?? 0) + 1 }))
