import { decode } from 'jpeg-js'
import { orientationOf, upright } from './exif'
import { MAX_PHOTO_PIXELS, damaged, notUnpacked, requireSize, word, type Photo } from './photo'

const MAX_MEMORY_MB = 640
const START_OF_SCAN = 0xda
/** Baseline, extended and progressive; the others are lossless, hierarchical or arithmetic. */
const readableFrames = [0xc0, 0xc1, 0xc2]
const NOT_FRAMES = [0xc4, 0xc8, 0xcc]

/** @throws AppError INVALID, with the byte offset where it is known */
export function decodeJpeg(file: Uint8Array): Photo {
  const { width, height } = frameSize(file)
  requireSize(width, height)
  try {
    const picture = decode(file, {
      useTArray: true,
      formatAsRGBA: true,
      maxResolutionInMP: MAX_PHOTO_PIXELS / 1e6,
      maxMemoryUsageInMB: MAX_MEMORY_MB,
    })
    return upright({ width: picture.width, height: picture.height, rgba: picture.data }, orientationOf(file))
  } catch (error) {
    throw notUnpacked('JPEG', error)
  }
}

function frameSize(file: Uint8Array): { width: number; height: number } {
  for (let at = 2; at + 4 <= file.length;) {
    if (file[at] !== 0xff) throw damaged('JPEG', at, 'a marker ($FF) was expected')
    const marker = file[at + 1] ?? 0
    if (marker === 0xff) {
      at++
      continue
    }
    if (marker === START_OF_SCAN) throw damaged('JPEG', at, 'pixels begin before the size of the picture')
    const isFrame = marker >= 0xc0 && marker <= 0xcf && !NOT_FRAMES.includes(marker)
    if (isFrame && !readableFrames.includes(marker))
      throw damaged('JPEG', at, `its kind (marker $FF${marker.toString(16).toUpperCase()}) is not supported`)
    if (isFrame && at + 9 <= file.length) return { height: word(file, at + 5), width: word(file, at + 7) }
    const length = word(file, at + 2)
    if (length < 2) throw damaged('JPEG', at + 2, 'a part is shorter than its own length')
    at += 2 + length
  }
  throw damaged('JPEG', file.length, 'it ends before the size of the picture')
}
