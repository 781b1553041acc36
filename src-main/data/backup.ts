import { createReadStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Output } from '@shared/contract/contract'
import { MAX_LEFT_FILES } from '@shared/contract/data'
import { AppError, toFailure } from '@shared/contract/errors'
import { describeFileError } from '../files/fileErrors'
import { replaceChosenFile } from '../files/stagedWrite'
import { copyDatabase, withoutSecrets } from './copyDatabase'
import { isKeptFolder, isTaskFolder, keptOfData, keptOfTasks, type Content } from './dataFiles'
import type { DataPlaces } from './measure'
import { tarEnd, tarHeader, tarPadding, type TarEntry } from './tar'
import { walk } from './walk'

/** Recordings are compressed already; most of the rest is small. */
const GZIP_LEVEL = 3

interface BackupRequest extends DataPlaces {
  readonly to: string
  readonly onPercent: (percent: number) => void
  readonly signal: AbortSignal
}

interface PlannedFile {
  readonly source: string
  readonly name: string
  readonly content: Content
  readonly bytes: number
  readonly mtimeMs: number
}

type Backup = Output<'data.backUpTo'>

/** Leaves nothing at its place where it ends with an error. */
export async function backUp({ to, onPercent, signal, ...places }: BackupRequest): Promise<Backup> {
  const files = await plan(places, signal)
  const scratch = join(places.folder, 'backup')
  const left: Backup['left'] = []
  let leftCount = 0
  const onLeft = (file: string, error: unknown) => {
    leftCount++
    const reason = toFailure(describeFileError(error, basename(file), 'read')).message.slice(0, 1000)
    if (left.length < MAX_LEFT_FILES) left.push({ file: file.slice(0, 1000), reason })
  }
  try {
    await rm(scratch, { recursive: true, force: true })
    await mkdir(scratch, { mode: 0o700 })
    await replaceChosenFile(to, gzipped(archive(files, { scratch, onPercent, onLeft, signal }), signal))
  } catch (error) {
    if (signal.aborted) throw cancelled(signal)
    throw describeFileError(error, basename(to), 'written')
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
  return { bytes: (await stat(to)).size, files: files.length - leftCount, left, leftCount }
}

const cancelled = ({ reason }: AbortSignal): AppError =>
  reason instanceof AppError ? reason : new AppError('CANCELLED', 'The backup was cancelled.')

async function plan({ folder, tasks }: DataPlaces, signal: AbortSignal): Promise<PlannedFile[]> {
  const files: PlannedFile[] = []
  const add = async (
    { place, as }: { readonly place: string; readonly as: string },
    kept: (path: string) => Content | undefined,
    enters: (path: string, names: readonly string[]) => boolean,
  ) => {
    for await (const { path, ...size } of walk(place, { signal, enters })) {
      const content = kept(path)
      if (content) files.push({ source: join(place, path), name: `${as}/${path}`, content, ...size })
    }
  }
  await add({ place: folder, as: 'bridgedeck' }, keptOfData, isKeptFolder)
  await add({ place: tasks, as: 'c64bridge' }, keptOfTasks, isTaskFolder)
  return files
}

interface ArchiveParts {
  readonly scratch: string
  readonly onPercent: (percent: number) => void
  readonly onLeft: (file: string, error: unknown) => void
  readonly signal: AbortSignal
}

async function* archive(
  files: readonly PlannedFile[],
  { scratch, onPercent, onLeft, signal }: ArchiveParts,
): AsyncGenerator<Uint8Array> {
  const readme = Buffer.from(README)
  yield* entry({ name: 'README.txt', bytes: readme.length, mtimeMs: Date.now() }, [readme])
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
  let done = 0
  let told = -1
  const reached = (bytes: number) => {
    done = bytes
    const percent = total === 0 ? 100 : Math.min(100, Math.floor((done / total) * 100))
    if (percent !== told) onPercent((told = percent))
  }
  for (const file of files) {
    signal.throwIfAborted()
    // A copy may be smaller or larger than its source.
    const end = done + file.bytes
    const opened = await open(file, scratch, signal).catch((error: unknown) => {
      if (signal.aborted || file.content === 'settings') throw error
      onLeft(file.name, error)
      return undefined
    })
    if (!opened) {
      reached(end)
      continue
    }
    for await (const piece of entry({ ...file, bytes: opened.bytes }, opened.pieces)) {
      signal.throwIfAborted()
      yield piece
      reached(Math.min(end, done + piece.length))
    }
    await opened.close()
    reached(end)
  }
  yield tarEnd()
}

interface OpenedFile {
  readonly bytes: number
  readonly pieces: AsyncIterable<Uint8Array>
  close(): Promise<void>
}

/** @throws where nothing of it can be read, before anything of it is in the archive */
async function open({ source, content }: PlannedFile, scratch: string, signal: AbortSignal): Promise<OpenedFile> {
  if (content === 'plain') return { ...(await readable(source)), close: () => Promise.resolve() }
  const copy = join(scratch, 'copy.sqlite')
  await copyDatabase(source, copy, signal)
  if (content === 'settings') withoutSecrets(copy)
  return { ...(await readable(copy)), close: () => rm(copy, { force: true }) }
}

async function readable(path: string): Promise<Pick<OpenedFile, 'bytes' | 'pieces'>> {
  const stream = createReadStream(path)
  await new Promise<void>((resolve, reject) => {
    stream.once('open', () => resolve())
    stream.once('error', reject)
  })
  return { bytes: (await stat(path)).size, pieces: stream }
}

/** Yields exactly as many bytes as the header says, even where the file grows or shrinks meanwhile. */
async function* entry(
  head: TarEntry,
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield tarHeader(head)
  let missing = head.bytes
  for await (const piece of pieces) {
    const part = piece.subarray(0, missing)
    missing -= part.length
    if (part.length > 0) yield part
    if (missing === 0) break
  }
  for (; missing > 0; missing -= Math.min(missing, FILL.length)) yield FILL.subarray(0, missing)
  yield tarPadding(head.bytes)
}

const FILL = new Uint8Array(64 * 1024)

function gzipped(pieces: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncIterable<Uint8Array> {
  const gzip = createGzip({ level: GZIP_LEVEL })
  pipeline(Readable.from(pieces), gzip, { signal }).catch(() => undefined)
  return gzip
}

const README = `A backup of Bridgedeck.

bridgedeck   settings, saved machines, and what Bridgedeck knows of your projects and runs
c64bridge    tasks with their results and recordings

To restore it, close Bridgedeck. Put what is in bridgedeck into the data folder that Settings > Data shows, and what is in
c64bridge into the folder .c64bridge of your home folder, in the place of what is there. Then start Bridgedeck.

Passwords and tokens are not in it, nor are logs and caches: enter passwords again.
`
