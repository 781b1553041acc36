/** GIF: the first animation of a sheet, or what there is one after the other. Its times are in hundredths of a second. */
import { GifReader, GifWriter } from 'omggif'
import { TRANSPARENT } from '../../c64/sprites'
import type { Artwork } from '../artwork'
import type { ExportOptions, GraphicsFormat, ReadArtwork } from '../format'
import { animatedPictures } from '../pictures/animatedPictures'
import { artworkOfPicture } from '../pictures/pictureArtwork'
import { indexedPicture } from '../pictures/paletteOf'
import { readFrames } from '../pictures/readFrames'

const CLEAR = 16
/** A power of two. */
const COLOURS = 32
const DISPOSE_TO_BACKGROUND = 2
const HEADER = /^GIF8[79]a/
const MAX_FRAMES = 4096
const MAX_PIXELS = 40_000_000

export const gif: GraphicsFormat = {
  id: 'gif',
  title: 'GIF picture or animation',
  extensions: ['gif'],
  kinds: ['sprites', 'screen', 'bitmap'],
  holdsMany: true,
  options: ['palette', 'scale', 'isTransparent', 'aspect', 'frameMs', 'romCharacters'],
  likeness: (file) => (isGif(file) ? 'likely' : 'no'),
  read,
  write,
}

const isGif = (file: Uint8Array): boolean => HEADER.test(String.fromCharCode(...file.subarray(0, 6)))

function write(artworks: readonly Artwork[], options: ExportOptions): Uint8Array {
  const pictures = animatedPictures(artworks, options)
  const { width = 0, height = 0 } = pictures[0]?.picture ?? {}
  // Packed pixels take less than one and a half bytes each at worst.
  const out = new Uint8Array(2048 + pictures.length * (1024 + Math.ceil(width * height * 1.5)))
  const palette = [...options.palette, ...new Array<number>(COLOURS - options.palette.length).fill(0)]
  const writer = new GifWriter(out, width, height, { palette, ...(pictures.length > 1 ? { loop: 0 } : {}) })
  let time = 0
  for (const { picture, ms } of pictures) {
    const isClear = picture.pixels.includes(TRANSPARENT)
    const pixels = Array.from(picture.pixels, (pixel) => (pixel === TRANSPARENT ? CLEAR : pixel))
    // Of the rounded times, so that the parts do not add up.
    const delay = Math.max(1, Math.round((time + ms) / 10) - Math.round(time / 10))
    time += ms
    writer.addFrame(0, 0, width, height, pixels, {
      ...(pictures.length > 1 ? { delay, disposal: DISPOSE_TO_BACKGROUND } : {}),
      ...(isClear ? { transparent: CLEAR } : {}),
    })
  }
  return out.slice(0, writer.end())
}

function read(file: Uint8Array): ReadArtwork {
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
  const frames = []
  for (let index = 0; index < count; index++) {
    const rgba = new Uint8Array(width * height * 4)
    const { delay, data_offset } = reader.frameInfo(index)
    try {
      reader.decodeAndBlitFrameRGBA(index, rgba)
    } catch {
      return refused(data_offset, `Expected the pixels of picture ${index + 1}; they cannot be unpacked.`)
    }
    frames.push({ width, height, rgba, ms: delay * 10 })
  }
  const [first] = frames
  const indexed = first && frames.length === 1 ? indexedPicture(first) : null
  const artwork = indexed && 'pixels' in indexed ? artworkOfPicture(indexed.pixels) : null
  return artwork ? { artworks: [artwork], problems: [] } : readFrames(frames)
}
