import { defineView } from '../../client/view'
import { toggleBeam, toggleBorders, toggleCrt, toggleScaling, toggleSpriteStrip } from '../../frames/screenOptions'
import { followFloating, toggleFloating } from './floating'
import { followWindow, toggleFullScreen } from './fullScreen'
import { toggleJoystickKeys } from './inputState'

export const view = defineView({
  load: async () => (await import('./ScreenView')).ScreenView,
  actions: {
    'picture.save': async () => (await import('./screenshot')).chooseScreenshotFile(),
    'picture.copy': async () => (await import('./screenshot')).copyScreenshot(),
    'edit.pasteToMachine': async () => (await import('./typing')).typeClipboard(),
    'edit.stopTyping': async () => (await import('./typing')).cancelTyping(),
    'joystick.toggle': toggleJoystickKeys,
    'screen.whole': toggleScaling,
    'screen.borders': toggleBorders,
    'screen.crt': toggleCrt,
    'screen.sprites': toggleSpriteStrip,
    'screen.beam': toggleBeam,
    'screen.float': toggleFloating,
    'screen.full': toggleFullScreen,
  },
  start: () => {
    followWindow()
    followFloating()
  },
})
