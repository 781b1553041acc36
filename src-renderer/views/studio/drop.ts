import { attempt } from '../../client/messages'

const types = ['image/png', 'image/jpeg', 'image/gif']

/** A picture that is dropped anywhere on the window opens in the studio; everything else is for the machine. */
export function followPictureDrops(): void {
  window.addEventListener(
    'drop',
    (event) => {
      const [file, ...others] = event.dataTransfer?.files ?? []
      if (!file || others.length > 0 || !types.includes(file.type)) return
      event.preventDefault()
      // Before the listener that hands dropped files to the machine.
      event.stopPropagation()
      attempt(async () => (await import('./studio')).openPhoto(file))
    },
    { capture: true },
  )
}
