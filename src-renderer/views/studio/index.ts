import { defineView } from '../../client/view'
import { followPictureDrops } from './drop'

export const view = defineView({
  load: async () => (await import('./StudioView')).StudioView,
  actions: {
    'photo.open': async () => {
      const { choosePhoto, showStudio } = await import('./studio')
      await showStudio()
      choosePhoto()
    },
    'photo.keep': async () => (await import('./studio')).keepConversion(),
    'photo.save': async () => (await import('./savePicture')).savePicture(),
    'photo.preview': async () => (await import('./machinePreview')).previewInMachine(),
    'photo.takeBack': async () => (await import('./machinePreview')).takeBack(),
  },
  start: followPictureDrops,
})
