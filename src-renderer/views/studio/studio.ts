import { create } from 'zustand'
import { AppError, toFailure, type Failure } from '@shared/contract/errors'
import type { Conversion } from '@shared/graphics/photo/convertPhoto'
import { MAX_PHOTO_FILE_BYTES, type Photo } from '@shared/graphics/photo/photo'
import type { ExportSubject } from '../../client/artworkSources'
import { showView } from '../../client/navigation'
import { notify } from '../../client/messages'
import { addToSheet } from '../../client/sheet'
import type { FromPhotoWorker, ToPhotoWorker } from './photoMessages'
import workerAddress from './photoWorker?worker&url'
import { currentOptions } from './studioOptions'

interface Studio {
  readonly file: { readonly name: string; readonly width: number; readonly height: number } | null
  readonly framed: Photo | null
  readonly conversion: Conversion | null
  /** 0 to 1 while the picture is read or converted. */
  readonly progress: number | null
  readonly failure: Failure | null
}

const nothing: Studio = { file: null, framed: null, conversion: null, progress: null, failure: null }

export const useStudio = create<Studio>(() => nothing)

let worker: Worker | null = null
let latest = 0
let opening = ''

function post(message: ToPhotoWorker): void {
  worker ??= startWorker()
  worker.postMessage(message)
}

function startWorker(): Worker {
  const started = new Worker(workerAddress, { type: 'module', name: 'pictures' })
  started.onmessage = ({ data }: MessageEvent<FromPhotoWorker>) => receive(data)
  started.onerror = () => {
    started.terminate()
    worker = null
    const failure = { code: 'INTERNAL' as const, message: 'The picture could not be converted: its process ended.' }
    useStudio.setState({ ...nothing, failure })
  }
  return started
}

function receive(message: FromPhotoWorker): void {
  if (message.id !== latest) return
  switch (message.kind) {
    case 'opened':
      useStudio.setState({ file: { name: opening, width: message.width, height: message.height } })
      convertNow()
      return
    case 'framed':
      useStudio.setState({ framed: message.framed })
      return
    case 'progress':
      useStudio.setState({ progress: message.share })
      return
    case 'converted':
      useStudio.setState({ conversion: message.conversion, progress: null, failure: null })
      return
    case 'failed':
      useStudio.setState({ progress: null, failure: message.failure })
  }
}

export const showStudio = (): Promise<void> => showView('studio')

export async function openPhoto(file: File): Promise<void> {
  await showStudio()
  if (file.size > MAX_PHOTO_FILE_BYTES)
    throw new AppError(
      'INVALID',
      `${file.name} is too large: at most ${MAX_PHOTO_FILE_BYTES / 1024 / 1024} MiB are read.`,
    )
  const bytes = new Uint8Array(await file.arrayBuffer())
  opening = file.name
  useStudio.setState({ ...nothing, progress: 0 })
  post({ kind: 'open', id: ++latest, file: bytes })
}

export function convertNow(): void {
  const { file } = useStudio.getState()
  if (file === null) return
  useStudio.setState({ progress: 0 })
  post({ kind: 'convert', id: ++latest, options: currentOptions(nameOf(file.name)) })
}

const nameOf = (file: string): string => file.replace(/\.[^.]*$/, '')

export function requireConversion(): Conversion {
  const { conversion } = useStudio.getState()
  if (conversion === null)
    throw new AppError('NOT_FOUND', 'No picture is converted.', { hint: 'Open a picture in the picture studio.' })
  return conversion
}

export function conversionSubjects(): ExportSubject[] {
  const artwork = useStudio.getState().conversion?.artwork
  return artwork ? [{ title: 'Converted picture', name: artwork.name || 'picture', artworks: [artwork] }] : []
}

export function keepConversion(): void {
  const { artwork } = requireConversion()
  addToSheet(artwork)
  notify(`${artwork.name} is in the sheet.`, null, { label: 'Show', run: () => void showView('sheet') })
}

/** Only the page reads the chosen file. */
export function choosePhoto(): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = 'image/png,image/jpeg,image/gif'
  input.onchange = () => {
    const [file] = input.files ?? []
    if (file) openPhoto(file).catch((error: unknown) => useStudio.setState({ failure: toFailure(error) }))
  }
  input.click()
}
