import type { Photo } from './photo'
import { lightOf } from './oklab'
import type { PhotoOptions, PixelAspect } from './options'
import { shapeHeight, shapeWidth, type TargetShape } from './targetShape'

export interface ScaledPhoto {
  readonly width: number
  readonly height: number
  readonly light: Float32Array
  /** 1 where the picture does not cover the pixel. */
  readonly clear: Uint8Array
}

const aspectOf: Readonly<Record<PixelAspect, number>> = { square: 1, pal: 0.9365, ntsc: 0.75 }

interface Extent {
  readonly from: number
  readonly length: number
}

interface Coverage {
  readonly start: Int32Array
  readonly count: Int32Array
  readonly weights: Float32Array
  readonly at: Int32Array
}

export function scalePhoto(photo: Photo, shape: TargetShape, options: PhotoOptions): ScaledPhoto {
  const [width, height] = [shapeWidth(shape), shapeHeight(shape)]
  const place = placePhoto(photo, shape, options)
  const across = coverage(place.sourceX, photo.width, place.targetX.length)
  const down = coverage(place.sourceY, photo.height, place.targetY.length)
  const light = new Float32Array(width * height * 3)
  const clear = new Uint8Array(width * height).fill(1)
  const row = new Float32Array(photo.width * 4)
  for (let y = 0; y < place.targetY.length; y++) {
    averageRows(photo, down, y, row)
    const to = (place.targetY.from + y) * width + place.targetX.from
    averageRow(row, across, light, clear, to)
  }
  return { width, height, light, clear }
}

function placePhoto(photo: Photo, shape: TargetShape, { fit, x, y, aspect }: PhotoOptions) {
  const [width, height] = [shapeWidth(shape), shapeHeight(shape)]
  const wide = width * shape.pixelWidth * aspectOf[aspect]
  const whole = {
    sourceX: { from: 0, length: photo.width },
    sourceY: { from: 0, length: photo.height },
    targetX: { from: 0, length: width },
    targetY: { from: 0, length: height },
  }
  const isWider = photo.width * height > photo.height * wide
  if (fit === 'stretch') return whole
  if (fit === 'fill')
    return isWider
      ? { ...whole, sourceX: part(photo.width, (photo.height * wide) / height, x) }
      : { ...whole, sourceY: part(photo.height, (photo.width * height) / wide, y) }
  const shownHeight = Math.max(1, Math.round((photo.height * wide) / photo.width))
  const shownWidth = Math.max(1, Math.round(((photo.width * height) / photo.height) * (width / wide)))
  return isWider
    ? { ...whole, targetY: wholePart(height, shownHeight, y) }
    : { ...whole, targetX: wholePart(width, shownWidth, x) }
}

function part(whole: number, length: number, position: number): Extent {
  return { from: (whole - length) * position, length }
}

function wholePart(whole: number, length: number, position: number): Extent {
  const shown = Math.min(whole, length)
  return { from: Math.round((whole - shown) * position), length: shown }
}

function coverage({ from, length }: Extent, sources: number, targets: number): Coverage {
  const [start, count, at] = [new Int32Array(targets), new Int32Array(targets), new Int32Array(targets)]
  const weights: number[] = []
  const step = length / targets
  for (let target = 0; target < targets; target++) {
    const [left, right] = [from + target * step, from + (target + 1) * step]
    const first = Math.min(sources - 1, Math.max(0, Math.floor(left)))
    const last = Math.min(sources - 1, Math.max(first, Math.ceil(right) - 1))
    start[target] = first
    count[target] = last - first + 1
    at[target] = weights.length
    for (let source = first; source <= last; source++)
      weights.push(Math.max(1e-6, Math.min(right, source + 1) - Math.max(left, source)))
  }
  return { start, count, weights: Float32Array.from(weights), at }
}

/** Alpha is multiplied in. */
function averageRows({ width, rgba }: Photo, down: Coverage, y: number, row: Float32Array): void {
  const [first, count, at] = [down.start[y] ?? 0, down.count[y] ?? 0, down.at[y] ?? 0]
  let total = 0
  for (let n = 0; n < count; n++) total += down.weights[at + n] ?? 0
  for (let x = 0; x < width; x++) {
    let [red, green, blue, alpha] = [0, 0, 0, 0]
    for (let n = 0, from = (first * width + x) * 4; n < count; n++, from += width * 4) {
      const share = ((down.weights[at + n] ?? 0) * (rgba[from + 3] ?? 0)) / 255
      red += (lightOf[rgba[from] ?? 0] ?? 0) * share
      green += (lightOf[rgba[from + 1] ?? 0] ?? 0) * share
      blue += (lightOf[rgba[from + 2] ?? 0] ?? 0) * share
      alpha += share
    }
    // A pixel that is at least half covered counts as covered.
    row[x * 4] = red / total
    row[x * 4 + 1] = green / total
    row[x * 4 + 2] = blue / total
    row[x * 4 + 3] = alpha / total
  }
}

function averageRow(row: Float32Array, across: Coverage, light: Float32Array, clear: Uint8Array, to: number): void {
  for (let x = 0; x < across.start.length; x++) {
    const [first, count, at] = [across.start[x] ?? 0, across.count[x] ?? 0, across.at[x] ?? 0]
    let [red, green, blue, alpha, total] = [0, 0, 0, 0, 0]
    for (let n = 0; n < count; n++) {
      const weight = across.weights[at + n] ?? 0
      const from = (first + n) * 4
      red += (row[from] ?? 0) * weight
      green += (row[from + 1] ?? 0) * weight
      blue += (row[from + 2] ?? 0) * weight
      alpha += (row[from + 3] ?? 0) * weight
      total += weight
    }
    if (alpha < total / 2) continue
    clear[to + x] = 0
    light[(to + x) * 3] = red / alpha
    light[(to + x) * 3 + 1] = green / alpha
    light[(to + x) * 3 + 2] = blue / alpha
  }
}
