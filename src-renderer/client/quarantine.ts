import { create } from 'zustand'
import type { Quarantined } from '@shared/contract/quarantine'
import { call } from './call'
import { watchEvents } from './events'
import { attempt, reportError } from './messages'

/** What the bridge left closed after crashes. */
export const useQuarantine = create<{ readonly items: readonly Quarantined[] }>(() => ({ items: [] }))

export const receiveQuarantine = ({ items }: { readonly items: readonly Quarantined[] }): void =>
  useQuarantine.setState({ items })

export function readQuarantine(): void {
  const wasOvertaken = watchEvents('quarantine.changed')
  call('quarantine.list', {}).then((list) => (wasOvertaken() ? undefined : receiveQuarantine(list)), reportError)
}

export const openAnyway = ({ kind, name }: Quarantined): void => attempt(() => call('quarantine.open', { kind, name }))
