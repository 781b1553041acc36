import { defineView } from '../../client/view'
import { resetToDefaults } from './resetToDefaults'

export const view = defineView({
  load: async () => (await import('./SettingsView')).SettingsView,
  actions: { 'settings.reset': resetToDefaults },
})
