import { defineView } from '../../client/view'
import { toggleJoystickKeys } from './inputState'

export const view = defineView({
  load: async () => (await import('./ScreenView')).ScreenView,
  actions: {
    'picture.save': async () => (await import('./screenshot')).chooseScreenshotFile(),
    'picture.copy': async () => (await import('./screenshot')).copyScreenshot(),
    'edit.pasteToMachine': async () => (await import('./typing')).typeClipboard(),
    'joystick.toggle': toggleJoystickKeys,
  },
})
