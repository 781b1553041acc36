/** The first animation of a sheet, or all artwork in sequence. Times are in hundredths of a second. */
import { GifReader, GifWriter, type Frame } from 'omggif'
import { TRANSPARENT } from '../../c64/sprites'
import type { Artwork } from '../artwork'
import type { ExportOptions, FormatProblem, GraphicsFormat, ReadArtwork, ReadOptions } from '../format'
import { drawGifFrame } from '../gifFrame'
import { animatedPictures } from '../pictures/animatedPictures'
import { readFrames } from '../pictures/readFrames'

const CLEAR = 16
const COLOURS = 32
const DISPOSE_TO_BACKGROUND = 2
const DISPOSE_TO_PREVIOUS = 3
const MAX_PROBLEMS = 20
const HEADER = /^GIF8[79]a/
const MAX_FRAMES = 4096
const MAX_PIXELS = 40_000_000

export const gif: GraphicsFormat = {
  id: 'gif',
  title: 'GIF picture or animation',
  extensions: ['gif'],
  kinds: ['sprites', 'screen', 'bitmap'],
  holdsMany: true,
  options: ['palette', 'scale', 'isTransparent', 'aspect', 'frameMs', 'animation', 'romCharacters'],
  likeness: (file) => (isGif(file) ? 'likely' : 'no'),
  read,
  write,
}

const isGif = (file: Uint8Array): boolean => HEADER.test(String.fromCharCode(...file.subarray(0, 6)))

function write(artworks: readonly Artwork[], options: ExportOptions): Uint8Array {
  const pictures = animatedPictures(artworks, options)
  const { width = 0, height = 0 } = pictures[0]?.picture ?? {}
  // Packed pixels take less than one and a half bytes each in the worst case.
  const out = new Uint8Array(2048 + pictures.length * (1024 + Math.ceil(width * height * 1.5)))
  const palette = [...options.palette, ...new Array<number>(COLOURS - options.palette.length).fill(0)]
  const writer = new GifWriter(out, width, height, { palette, ...(pictures.length > 1 ? { loop: 0 } : {}) })
  let time = 0
  for (const { picture, ms } of pictures) {
    const isClear = picture.pixels.includes(TRANSPARENT)
    const pixels = Array.from(picture.pixels, (pixel) => (pixel === TRANSPARENT ? CLEAR : pixel))
    // Difference of rounded times, so that rounding errors do not add up.
    const delay = Math.max(1, Math.round((time + ms) / 10) - Math.round(time / 10))
    time += ms
    writer.addFrame(0, 0, width, height, pixels, {
      ...(pictures.length > 1 ? { delay, disposal: DISPOSE_TO_BACKGROUND } : {}),
      ...(isClear ? { transparent: CLEAR } : {}),
    })
  }
  return out.slice(0, writer.end())
}

function read(file: Uint8Array, { palette, shownPalette }: ReadOptions = {}): ReadArtwork {
  const refused = (offset: number, text: string): ReadArtwork => ({ artworks: [], problems: [{ offset, text }] })
  if (!isGif(file)) return refused(0, 'Expected GIF87a or GIF89a.')
  let reader
  try {
    reader = new GifReader(file)
  } catch {
    return refused(file.length, 'Expected the blocks of a GIF file up to its end; they are damaged.')
  }
  const { width, height } = reader
  const count = reader.numFrames()
  if (count === 0) return refused(file.length, 'Expected a picture, found none.')
  if (count > MAX_FRAMES || count * width * height > MAX_PIXELS)
    return refused(
      6,
      `Expected up to ${MAX_FRAMES} pictures with ${MAX_PIXELS} pixels, found ${count} of ${width} x ${height}.`,
    )
  const large = Array.from({ length: count }, (_, index) => reader.frameInfo(index)).find(
    (frame) => frame.width * frame.height > MAX_PIXELS,
  )
  if (large)
    return refused(large.data_offset, `Expected up to ${MAX_PIXELS} pixels, found ${large.width} x ${large.height}.`)
  const problems: FormatProblem[] = []
  const frames = []
  const rgba = new Uint8Array(width * height * 4)
  for (let index = 0; index < count; index++) {
    const frame = reader.frameInfo(index)
    const before = frame.disposal === DISPOSE_TO_PREVIOUS ? rgba.slice() : null
    const missing = drawGifFrame(file, frame, { width, height, rgba })
    const all = frame.width * frame.height
    if (missing > 0) {
      const text = `Expected ${all} pixels of picture ${index + 1}, found ${all - missing} that can be unpacked.`
      problems.push({ offset: frame.data_offset, text })
    }
    frames.push({ width, height, rgba: rgba.slice(), ms: frame.delay * 10 })
    if (before) rgba.set(before)
    if (frame.disposal === DISPOSE_TO_BACKGROUND) clear(rgba, width, frame)
  }
  const found = readFrames(frames, { given: palette, shown: shownPalette })
  return { ...found, problems: [...problems.slice(0, MAX_PROBLEMS), ...found.problems] }
}

function clear(rgba: Uint8Array, width: number, { x, y, ...frame }: Frame): void {
  const [left, right] = [Math.min(x, width), Math.min(x + frame.width, width)]
  for (let row = y; row < y + frame.height; row++) rgba.fill(0, (row * width + left) * 4, (row * width + right) * 4)
}
