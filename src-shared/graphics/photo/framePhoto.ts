import { encodeLight } from './oklab'
import type { PhotoOptions } from './options'
import type { Photo } from './photo'
import { scalePhoto } from './scalePhoto'
import { targetShape } from './targetShape'

const FRAME_SCALE = 2
const LEVELS = 4096
const bytes = Uint8Array.from({ length: LEVELS }, (_, n) => Math.round(encodeLight(n / (LEVELS - 1)) * 255))

export function framePhoto(photo: Photo, options: PhotoOptions): Photo {
  const shape = targetShape(options)
  const finer = {
    ...shape,
    pixelWidth: 1 as const,
    cellWidth: shape.cellWidth * shape.pixelWidth * FRAME_SCALE,
    cellHeight: shape.cellHeight * FRAME_SCALE,
  }
  const { width, height, light, clear } = scalePhoto(photo, finer, options)
  const rgba = new Uint8Array(width * height * 4)
  for (let pixel = 0; pixel < width * height; pixel++) {
    if (clear[pixel] === 1) continue
    for (let part = 0; part < 3; part++)
      rgba[pixel * 4 + part] = bytes[Math.round((light[pixel * 3 + part] ?? 0) * (LEVELS - 1))] ?? 0
    rgba[pixel * 4 + 3] = 255
  }
  return { width, height, rgba }
}
