/** Pictures into artwork of the C64: a photo of 1920 x 1080, decoding apart from conversion. */
import { performance } from 'node:perf_hooks'
import { encode } from 'fast-png'
import { encode as encodeJpeg } from 'jpeg-js'
import { convert, convertPhoto } from '../../src-shared/graphics/photo/convertPhoto'
import { decodePhoto } from '../../src-shared/graphics/photo/decode'
import {
  photoDefaults,
  photoTargets,
  photoTargetTitles,
  type PhotoTarget,
} from '../../src-shared/graphics/photo/options'
import { median, type Row } from './row'

const WIDTH = 1920
const HEIGHT = 1080
const ROUNDS = 7

/** Soft colours with edges, and a little noise as a camera has. */
function photo(): Uint8Array {
  const rgba = new Uint8Array(WIDTH * HEIGHT * 4)
  let noise = 1
  for (let y = 0, at = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++, at += 4) {
      noise = (Math.imul(noise, 1_103_515_245) + 12_345) >>> 0
      const grain = (noise >>> 29) - 4
      const isDisc = Math.hypot(x - 600, y - 500) < 300
      rgba[at] = (isDisc ? 220 : 127 + 120 * Math.sin(x / 200 + y / 300)) + grain
      rgba[at + 1] = (x / WIDTH) * 200 + 10 + grain
      rgba[at + 2] = (y / HEIGHT) * 240 + 8 + grain
      rgba[at + 3] = 255
    }
  return rgba
}

function medianMs(work: () => unknown): number {
  work()
  return median(
    Array.from({ length: ROUNDS }, () => {
      const started = performance.now()
      work()
      return performance.now() - started
    }),
  )
}

function under400(name: string, work: () => unknown): Row {
  const value = medianMs(work)
  return { name, value, unit: 'ms', target: 'under 400 ms', met: value < 400, note: 'Floyd-Steinberg' }
}

export default function photoBench(): Promise<Row[]> {
  const data = photo()
  const png = encode({ width: WIDTH, height: HEIGHT, data, channels: 4 })
  const jpeg = Uint8Array.from(encodeJpeg({ width: WIDTH, height: HEIGHT, data }, 90).data)
  const picture = decodePhoto(png)
  const decoding = [
    { name: 'PNG of 1920 x 1080 decoded', value: medianMs(() => decodePhoto(png)), unit: 'ms' },
    { name: 'JPEG of 1920 x 1080 decoded', value: medianMs(() => decodePhoto(jpeg)), unit: 'ms' },
  ]
  const optionsOf = (target: PhotoTarget) => ({ ...photoDefaults, target, fit: 'fill' as const, columns: 8, rows: 4 })
  const converting = photoTargets.flatMap((target): Row[] => {
    const name = `1920 x 1080 to ${photoTargetTitles[target].toLowerCase()}`
    return [
      under400(name, () => convert(picture, optionsOf(target))),
      under400(`${name}, from the PNG file`, () => convertPhoto(png, optionsOf(target))),
      under400(`${name}, from the JPEG file`, () => convertPhoto(jpeg, optionsOf(target))),
    ]
  })
  return Promise.resolve([...decoding, ...converting])
}
