import { create } from 'zustand'
import type { Quarantined } from '@shared/contract/quarantine'
import { call } from './call'
import { takeAnswer } from './events'
import { attempt, reportError } from './messages'

export const useQuarantine = create<{ readonly items: readonly Quarantined[] }>(() => ({ items: [] }))

export const receiveQuarantine = ({ items }: { readonly items: readonly Quarantined[] }): void =>
  useQuarantine.setState({ items })

export function readQuarantine(): void {
  takeAnswer('quarantine.changed', () => call('quarantine.list', {}), receiveQuarantine).catch(reportError)
}

export const openAnyway = ({ kind, name }: Quarantined): void => attempt(() => call('quarantine.open', { kind, name }))
