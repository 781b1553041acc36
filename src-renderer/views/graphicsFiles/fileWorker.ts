/** Runs in a worker, away from the window's thread; built as a file of its own. */
import { toFailure } from '@shared/contract/errors'
import { countOf } from '@shared/graphics/artworkText'
import type { Artwork } from '@shared/graphics/artwork'
import type { Pixels } from '@shared/graphics/artworkPixels'
import { previewOf } from '@shared/graphics/filePreview'
import { formatNamed, formatsOf } from '@shared/graphics/formats'
import { readGraphicsFile, refusalOf, writeGraphicsFile } from '@shared/graphics/graphicsFile'
import { artworkPicture, type PictureOptions } from '@shared/graphics/pictures/artworkPicture'
import { breathe, workerPort } from '../../client/workerPort'
import type {
  FileAnswer,
  FileRequest,
  FromFileWorker,
  ProbeRequest,
  ReadRequest,
  ToFileWorker,
  WriteRequest,
} from './fileMessages'

const SHOWN_ARTWORKS = 12

const newest = new Map<FileRequest['kind'], number>()

const port = workerPort<FromFileWorker, ToFileWorker>()

port.onmessage = ({ data: { id, request } }) => {
  newest.set(request.kind, id)
  answerTo(id, request)
    .catch((error: unknown): FileAnswer => ({ kind: 'failed', failure: toFailure(error) }))
    .then(
      (answer) => port.postMessage({ id, answer }),
      () => undefined,
    )
}

async function answerTo(id: number, request: FileRequest): Promise<FileAnswer> {
  await breathe()
  const isOvertaken = () => newest.get(request.kind) !== id
  if (isOvertaken()) return { kind: 'overtaken' }
  switch (request.kind) {
    case 'write':
      return write(request)
    case 'probe':
      return probe(request, isOvertaken)
    case 'read':
      return read(request)
  }
}

function write({ format: name, artworks, options }: WriteRequest): FileAnswer {
  const format = formatNamed(name)
  if (!format) throw new Error(`no format ${name}`)
  const bytes = writeGraphicsFile(format, artworks, options)
  const preview = previewOf(bytes)
  const shown = preview.kind === 'data' ? artworks.slice(0, SHOWN_ARTWORKS) : []
  const leavesOut = [...new Set(format.leavesOut?.(artworks) ?? [])]
  return { kind: 'written', bytes, leavesOut, preview, pictures: shown.map((artwork) => picture(artwork, options)) }
}

async function probe({ formats, artworks, options }: ProbeRequest, isOvertaken: () => boolean): Promise<FileAnswer> {
  const refusals: Record<string, string> = {}
  for (const name of formats) {
    const format = formatNamed(name)
    if (!format) continue
    const refusal = refusalOf(format, artworks) ?? tried(() => writeGraphicsFile(format, artworks, options))
    if (refusal !== null) refusals[name] = refusal
    await breathe()
    if (isOvertaken()) return { kind: 'overtaken' }
  }
  return { kind: 'probed', refusals }
}

function tried(work: () => unknown): string | null {
  try {
    work()
    return null
  } catch (error) {
    return toFailure(error).message
  }
}

function read({ bytes, extension, format, palette, shownPalette, romCharacters }: ReadRequest): FileAnswer {
  const likely = formatsOf(bytes, extension).flatMap((each) => (each.read ? [each.id] : []))
  const colours = { palette: palette ?? undefined, shownPalette }
  const found = readGraphicsFile(bytes, extension, format ?? likely[0] ?? '', colours)
  const { artworks = [], problems = [], notes = [], loadAddress = null } = found ?? {}
  return {
    kind: 'read',
    format: found?.format.id ?? null,
    likely,
    artworks,
    problems,
    notes,
    loadAddress,
    pictures: artworks.map((artwork) => picture(artwork, { columns: 16, isTransparent: false, romCharacters })),
  }
}

/** No canvas is high enough for more rows of characters. */
const MANY = 1024
const MANY_COLUMNS = 64

/** Empty artwork gets one pixel. */
function picture(artwork: Artwork, options: PictureOptions): Pixels {
  const count = countOf(artwork)
  if (count === 0) return { width: 1, height: 1, pixels: new Uint8Array(1) }
  return artworkPicture(artwork, count > MANY ? { ...options, columns: MANY_COLUMNS } : options)
}
