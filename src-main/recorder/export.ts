import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { basename } from 'node:path'
import { deflateSync } from 'node:zlib'
import { unpackPixels } from '@shared/c64/picture'
import { palettes } from '@shared/c64/palettes'
import { decodeSprites, SPRITE_HEIGHT, SPRITE_WIDTH, TRANSPARENT } from '@shared/c64/sprites'
import { IO_SIZE, IO_START } from '@shared/c64/video'
import { AppError } from '@shared/contract/errors'
import type { Space } from '@shared/contract/memory'
import type { Damage, ExportRequest } from '@shared/contract/recorder'
import { PngWriter, type PngOutput, type PngShape } from '@shared/pngWriter'
import { describeFileError } from '../files/fileErrors'
import { DamagedBlock } from './blocks'
import type { Image } from './image'
import type { RecordingReader } from './reader'
import { describeDatabaseError } from './schema'

type Request<Format extends ExportRequest['format']> = Extract<ExportRequest, { format: Format }>
type Subject = Request<'png'>['subject']

const palette = palettes.pepto
/** Pixel value of a sprite's transparent pixels, after the sixteen colours. */
const TRANSPARENT_PIXEL = 16

const LONE_PICTURE_MS = 20

const FRAMES_BETWEEN_PROGRESS = 500

const PIECE_CHARS = 64 * 1024

export interface Exported {
  readonly bytes: number
  readonly damages: Damage[]
}

/**
 * Replaces the file only when the export is complete. Yields the progress now and then, 0 to 1.
 * @throws AppError NOT_FOUND where the recording lacks the data, or the file system's refusal
 */
export function* exportRecording(
  reader: RecordingReader,
  to: string,
  request: ExportRequest,
): Generator<number, Exported> {
  const temporary = `${to}.${process.pid}-part`
  try {
    const file = openSync(temporary, 'w')
    let result
    try {
      result = yield* write(reader, file, request)
    } finally {
      closeSync(file)
    }
    renameSync(temporary, to)
    return result
  } catch (error) {
    throw describeFileError(describeDatabaseError(error, 'the recording'), basename(to), 'written')
  } finally {
    rmSync(temporary, { force: true })
  }
}

function* write(reader: RecordingReader, file: number, request: ExportRequest): Generator<number, Exported> {
  switch (request.format) {
    case 'csv':
      return yield* writeCsv(reader, file, request)
    case 'raw':
      return { bytes: writeRaw(reader, file, request), damages: [] }
    case 'png':
      return { bytes: writePng(reader, file, request), damages: [] }
    case 'marks':
      return { bytes: writeMarks(reader, file, request), damages: [] }
    case 'apng':
      return { bytes: yield* writeAnimation(reader, file, request), damages: [] }
  }
}

function* writeCsv(
  reader: RecordingReader,
  file: number,
  { space, address, length, from, to, rows = 'changes' }: Request<'csv'>,
): Generator<number, Exported> {
  const { first, last } = reader.framesOf({ from, to })
  const known = new Set<number>()
  let bytes = 0
  let text = 'time,milliseconds,frame,space,address,value\n'
  const flush = () => {
    bytes += writeSync(file, text)
    text = ''
  }
  const addRow = (frame: number, at: number, value: number) => {
    known.add(at)
    const time = reader.timeOf(frame)
    text += `${new Date(time).toISOString()},${time.toFixed(3)},${frame},${space},0x${hex(at, 4)},0x${hex(value, 2)}\n`
    if (text.length > PIECE_CHARS) flush()
  }
  const addFrame = (frame: number) => {
    const image = frame > last ? undefined : readableImage(reader, space, frame)
    for (let at = address; at < address + length; at++) {
      const value = image?.at(at)
      if (value !== undefined) addRow(frame, at, value)
    }
  }
  const isEach = rows === 'samples'
  for (let frame = first; frame <= (isEach ? last : first); frame++) {
    addFrame(frame)
    if (frame % FRAMES_BETWEEN_PROGRESS === 0) yield (frame - first) / (last - first + 1)
  }
  const damages = yield* reader.eachChange(
    space,
    { start: address, end: address + length },
    { from, to },
    (frame, at, value) => {
      if (!isEach && frame > first) addRow(frame, at, value)
    },
  )
  if (known.size < length) throw notRecorded(address, length, known.size)
  flush()
  return { bytes, damages: damages.slice(0, 100) }
}

/** Undefined also where it is damaged: the damages are told apart. */
function readableImage(reader: RecordingReader, space: Space, frame: number): Image | undefined {
  try {
    return reader.imageOf(space, frame)
  } catch (error) {
    if (error instanceof DamagedBlock) return undefined
    throw error
  }
}

const notRecorded = (address: number, length: number, known: number): AppError =>
  new AppError(
    'NOT_FOUND',
    length === 1
      ? `$${hex(address, 4)} was not recorded.`
      : `${length - known} of the ${length} bytes from $${hex(address, 4)} were not recorded.`,
    { hint: 'Choose addresses and a time that were recorded.' },
  )

function writeMarks(reader: RecordingReader, file: number, { from, to }: Request<'marks'>): number {
  const rows = reader
    .marks({ from, to })
    .map(
      ({ time, text, value }) => `${new Date(time).toISOString()},${time.toFixed(3)},${csvText(text)},${value ?? ''}\n`,
    )
  return writeSync(file, ['time,milliseconds,text,value\n', ...rows].join(''))
}

const csvText = (text: string): string => `"${text.replaceAll('"', '""')}"`

function writeRaw(reader: RecordingReader, file: number, { space, address, length, time }: Request<'raw'>): number {
  if (address + length > 0x10000) throw new AppError('INVALID', 'The range goes past $FFFF.')
  const bytes = new Uint8Array(length)
  let known = 0
  for (const segment of reader.imageAt(time, [space], false).segments) {
    const start = Math.max(address, segment.address)
    const end = Math.min(address + length, segment.address + segment.bytes.length)
    if (start >= end) continue
    bytes.set(segment.bytes.subarray(start - segment.address, end - segment.address), start - address)
    known += end - start
  }
  if (known < length) {
    throw notRecorded(address, length, known)
  }
  return writeSync(file, bytes)
}

const pngFile = (file: number): PngOutput => ({
  deflate: deflateSync,
  write: (bytes, position) => {
    for (let from = 0; from < bytes.length;) from += writeSync(file, bytes, from, bytes.length - from, position + from)
  },
})

function writePng(reader: RecordingReader, file: number, { subject, time }: Request<'png'>): number {
  const picture = pictureOf(reader, subject, time)
  if (!picture) throw nothingToDraw(subject)
  const png = new PngWriter(pngFile(file), picture.shape)
  png.add(picture.pixels)
  png.end()
  return png.bytes
}

function* writeAnimation(
  reader: RecordingReader,
  file: number,
  { subject, from, to, every }: Request<'apng'>,
): Generator<number, number> {
  const { first, last } = reader.framesOf({ from, to })
  let png: PngWriter | undefined
  let shape: PngShape | undefined
  let time: number | undefined
  let step = LONE_PICTURE_MS
  for (let frame = first; frame <= last; frame += every) {
    yield (frame - first) / (last - first + 1)
    const now = reader.timeOf(frame)
    step = now - (time ?? now - step)
    time = now
    const picture = pictureOf(reader, subject, time)
    if (!picture) continue
    shape ??= picture.shape
    png ??= new PngWriter(pngFile(file), shape, 'animated')
    // Pictures after a change from PAL to NTSC are left out: an animation has one size.
    if (picture.shape.height === shape.height) png.add(picture.pixels, time)
  }
  if (!png || time === undefined) throw nothingToDraw(subject)
  // The duration of the last picture is not recorded: that of the one before is used.
  png.end(time + step)
  return png.bytes
}

function pictureOf(
  reader: RecordingReader,
  subject: Subject,
  time: number,
): { shape: PngShape; pixels: Uint8Array } | undefined {
  if (subject === 'screen') {
    const { picture } = reader.imageAt(time, [], true)
    if (!picture) return undefined
    return { shape: { width: picture.width, height: picture.height, palette }, pixels: unpackPixels(picture.pixels) }
  }
  const { segments } = reader.imageAt(time, ['io', 'ram', 'rom'], false)
  const bytesOf = (space: string, start: number, length: number): Uint8Array | undefined => {
    const found = segments.find(
      (segment) =>
        segment.space === space && segment.address <= start && segment.address + segment.bytes.length >= start + length,
    )
    return found?.bytes.subarray(start - found.address, start - found.address + length)
  }
  const io = bytesOf('io', IO_START, IO_SIZE)
  const ram = bytesOf('ram', 0, 0x10000)
  if (!io || !ram) return undefined
  const sprite = decodeSprites({ io, ram, characterRom: bytesOf('rom', IO_START, IO_SIZE) ?? null })[subject.sprite]
  if (!sprite) return undefined
  const shape = { width: SPRITE_WIDTH, height: SPRITE_HEIGHT, palette: [...palette, 0], transparent: TRANSPARENT_PIXEL }
  return { shape, pixels: sprite.pixels.map((pixel) => (pixel === TRANSPARENT ? TRANSPARENT_PIXEL : pixel)) }
}

const nothingToDraw = (subject: Subject): AppError =>
  subject === 'screen'
    ? new AppError('NOT_FOUND', 'The recording has no picture at that time.', { hint: 'Record with the picture.' })
    : new AppError('NOT_FOUND', 'The recording has no sprite data at that time.', {
        hint: 'Record the spaces io and ram.',
      })

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0').toUpperCase()
