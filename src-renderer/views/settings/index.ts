import { onEvent } from '../../client/events'
import { defineView } from '../../client/view'
import { receiveBackedUp } from './backingUp'
import { resetToDefaults } from './resetToDefaults'

export const view = defineView({
  load: async () => (await import('./SettingsView')).SettingsView,
  start: () => onEvent('data.backedUp', receiveBackedUp),
  actions: { 'settings.reset': resetToDefaults },
})
