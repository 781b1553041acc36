import { GifReader } from 'omggif'
import { drawGifFrame } from '../gifFrame'
import { damaged, littleWord, notUnpacked, requireSize, type Photo } from './photo'

const HEADER_BYTES = 13
const IMAGE_BYTES = 10
const EXTENSION = 0x21
const IMAGE = 0x2c
const TRAILER = 0x3b
const GRAPHIC_CONTROL = 0xf9

/** The first frame. @throws AppError INVALID with the byte offset where the file is damaged */
export function decodeGif(file: Uint8Array): Photo {
  const [width, height] = [littleWord(file, 6), littleWord(file, 8)]
  requireSize(width, height)
  const rgba = new Uint8Array(width * height * 4)
  const still = firstFrame(file, width, height)
  try {
    drawGifFrame(still, new GifReader(still).frameInfo(0), { width, height, rgba })
  } catch (error) {
    throw notUnpacked('GIF', error)
  }
  return { width, height, rgba }
}

const colourTableBytes = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 << ((flags & 7) + 1))

/** Ends after the first frame, so that what follows need not be sound. */
function firstFrame(file: Uint8Array, width: number, height: number): Uint8Array {
  const start = HEADER_BYTES + colourTableBytes(file[10] ?? 0)
  const parts = [file.subarray(0, start)]
  let at = start
  while (file[at] === EXTENSION) {
    const end = subBlocksEnd(file, at + 2)
    if (file[at + 1] === GRAPHIC_CONTROL) parts.push(file.subarray(at, end))
    at = end
  }
  if (file[at] !== IMAGE) throw damaged('GIF', at, 'the first frame was expected')
  const [x, y] = [littleWord(file, at + 1), littleWord(file, at + 3)]
  if (x + littleWord(file, at + 5) > width || y + littleWord(file, at + 7) > height)
    throw damaged('GIF', at, `the first frame is larger than the picture (${width} x ${height})`)
  const end = subBlocksEnd(file, at + IMAGE_BYTES + colourTableBytes(file[at + 9] ?? 0) + 1)
  const whole = [...parts, file.subarray(at, end), Uint8Array.of(TRAILER)]
  const still = new Uint8Array(whole.reduce((sum, part) => sum + part.length, 0))
  let to = 0
  for (const part of whole) {
    still.set(part, to)
    to += part.length
  }
  return still
}

function subBlocksEnd(file: Uint8Array, first: number): number {
  let at = first
  for (;;) {
    const length = file[at]
    if (length === undefined) throw damaged('GIF', Math.min(at, file.length), 'it ends before its first frame does')
    at += 1 + length
    if (length === 0) return at
  }
}
