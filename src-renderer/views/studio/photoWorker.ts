/** Runs in a worker, away from the window's thread; built as a file of its own. */
import { toFailure } from '@shared/contract/errors'
import { convertInSteps } from '@shared/graphics/photo/convertPhoto'
import { decodePhoto } from '@shared/graphics/photo/decode'
import { framePhoto } from '@shared/graphics/photo/framePhoto'
import type { PhotoOptions } from '@shared/graphics/photo/options'
import type { Photo } from '@shared/graphics/photo/photo'
import { breathe, workerPort } from '../../client/workerPort'
import type { FromPhotoWorker, ToPhotoWorker } from './photoMessages'

let photo: Photo | null = null
let latest = 0
/** The picture's last framing: it is sent again only when that changes. */
let framing = ''

const port = workerPort<FromPhotoWorker, ToPhotoWorker>()

port.onmessage = ({ data }) => {
  latest = data.id
  work(data).catch((error: unknown) => port.postMessage({ kind: 'failed', id: data.id, failure: toFailure(error) }))
}

async function work(message: ToPhotoWorker): Promise<void> {
  const { id } = message
  if (message.kind === 'open') {
    photo = null
    framing = ''
    photo = decodePhoto(message.file)
    port.postMessage({ kind: 'opened', id, width: photo.width, height: photo.height })
    return
  }
  await convertLatest(id, message.options)
}

async function convertLatest(id: number, options: PhotoOptions): Promise<void> {
  await breathe()
  if (photo === null || id !== latest) return
  const { target, fit, x, y, aspect, columns, rows } = options
  const wanted = JSON.stringify([target, fit, x, y, aspect, columns, rows])
  if (wanted !== framing) {
    port.postMessage({ kind: 'framed', id, framed: framePhoto(photo, options) })
    framing = wanted
  }
  const steps = convertInSteps(photo, options)
  for (;;) {
    const step = steps.next()
    if (step.done === true) {
      port.postMessage({ kind: 'converted', id, conversion: step.value })
      return
    }
    port.postMessage({ kind: 'progress', id, share: step.value })
    await breathe()
    if (id !== latest) return
  }
}
