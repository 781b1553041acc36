import { create } from 'zustand'
import type { Input } from '@shared/contract/contract'
import { defaultSettings, type Settings } from '@shared/contract/settings'
import { call } from './call'
import { takeAnswer } from './events'
import { attempt, reportError } from './messages'

interface SettingsState {
  readonly settings: Settings
  readonly known: boolean
}

export const useSettingsState = create<SettingsState>(() => ({ settings: defaultSettings, known: false }))
export const useSettings = (): Settings => useSettingsState((state) => state.settings)

export const receiveSettings = (settings: Settings): void => useSettingsState.setState({ settings, known: true })

export function readSettings(): void {
  takeAnswer('settings.changed', () => call('settings.get', {}), receiveSettings).catch(reportError)
}

/** The controls show the new value at once; when the bridge refuses, the old one comes back. */
export function changeSettings(changes: Input<'settings.set'>): void {
  const before = useSettingsState.getState().settings
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  useSettingsState.setState({ settings: { ...before, ...given } })
  attempt(async () => {
    try {
      receiveSettings(await call('settings.set', changes))
    } catch (error) {
      useSettingsState.setState({ settings: before })
      throw error
    }
  })
}
