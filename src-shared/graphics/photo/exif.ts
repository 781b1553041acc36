import type { Photo } from './photo'

export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8

const APP1 = 0xe1
const START_OF_SCAN = 0xda
const TIFF_START = 6
const ENTRY_BYTES = 12
const ORIENTATION_TAG = 0x0112

export function orientationOf(file: Uint8Array): Orientation {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  for (let at = 2; at + 4 <= file.length && file[at] === 0xff && file[at + 1] !== START_OF_SCAN;) {
    const length = view.getUint16(at + 2)
    const part = file.subarray(at + 4, at + 2 + length)
    if (file[at + 1] === APP1 && isExif(part)) return ofTiff(part.subarray(TIFF_START))
    at += 2 + Math.max(2, length)
  }
  return 1
}

const isExif = (part: Uint8Array): boolean => String.fromCharCode(...part.subarray(0, TIFF_START)) === 'Exif\0\0'

function ofTiff(tiff: Uint8Array): Orientation {
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength)
  const isLittle = tiff[0] === 0x49
  const word = (at: number): number => (at + 2 <= tiff.length ? view.getUint16(at, isLittle) : 0)
  const first = tiff.length >= 8 ? view.getUint32(4, isLittle) : tiff.length
  for (let entry = 0; entry < word(first); entry++) {
    const at = first + 2 + entry * ENTRY_BYTES
    if (at + ENTRY_BYTES > tiff.length) return 1
    if (word(at) === ORIENTATION_TAG) return orientations.find((each) => each === word(at + 8)) ?? 1
  }
  return 1
}

const orientations: readonly Orientation[] = [1, 2, 3, 4, 5, 6, 7, 8]

export function upright({ width, height, rgba }: Photo, orientation: Orientation): Photo {
  if (orientation === 1) return { width, height, rgba }
  const isTurned = orientation >= 5
  const [wide, high] = isTurned ? [height, width] : [width, height]
  const from = new Uint32Array(rgba.buffer.slice(rgba.byteOffset, rgba.byteOffset + rgba.byteLength))
  const to = new Uint32Array(wide * high)
  const mirrorsX = [2, 3, 7, 8].includes(orientation)
  const mirrorsY = [3, 4, 6, 7].includes(orientation)
  for (let y = 0; y < high; y++)
    for (let x = 0; x < wide; x++) {
      const [column, row] = isTurned ? [y, x] : [x, y]
      const sourceX = mirrorsX ? width - 1 - column : column
      const sourceY = mirrorsY ? height - 1 - row : row
      to[y * wide + x] = from[sourceY * width + sourceX] ?? 0
    }
  return { width: wide, height: high, rgba: new Uint8Array(to.buffer) }
}
