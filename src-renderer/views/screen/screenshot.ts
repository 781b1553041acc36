import { pictureToRgba } from '@shared/c64/picture'
import { AppError } from '@shared/contract/errors'
import type { Picture } from '@shared/contract/memory'
import { call } from '../../client/call'
import { frames } from '../../frames/frames'
import { requireFront } from '../../client/machineControl'
import { notify } from '../../client/messages'
import { notifySaved } from '../../client/savedFile'
import { currentColours } from '../../frames/screenOptions'

async function currentPicture(): Promise<Picture> {
  const machine = requireFront()
  return frames.machine === machine && frames.picture && frames.wish.picture
    ? frames.picture
    : call('memory.picture', { machine })
}

/** With its borders, one pixel for each of the C64's. */
async function screenshot(): Promise<Uint8Array<ArrayBuffer>> {
  const picture = await currentPicture()
  const canvas = document.createElement('canvas')
  canvas.width = picture.width
  canvas.height = picture.height
  const context = canvas.getContext('2d')
  if (!context) throw new AppError('INTERNAL', 'Could not make a picture.')
  const image = context.createImageData(picture.width, picture.height)
  pictureToRgba(picture, currentColours(), new Uint32Array(image.data.buffer))
  context.putImageData(image, 0, 0)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (!blob) throw new AppError('INTERNAL', 'Could not make a PNG of the picture.')
  return new Uint8Array(await blob.arrayBuffer())
}

export async function chooseScreenshotFile(): Promise<void> {
  const png = await screenshot()
  const machine = requireFront().replace(/\W+/g, '-')
  const time = new Date().toISOString().slice(0, 19).replace(/[T:]/g, '-')
  notifySaved((await call('window.savePicture', { png, name: `${machine}-${time}.png` })).saved)
}

export async function copyScreenshot(): Promise<void> {
  await call('window.copyPicture', { png: await screenshot() })
  notify('Screen copied to the clipboard.')
}
