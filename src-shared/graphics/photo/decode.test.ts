import { encode } from 'fast-png'
import { zlibSync } from 'fflate'
import { encode as encodeJpeg } from 'jpeg-js'
import { GifWriter } from 'omggif'
import { describe, expect, it } from 'vitest'
import { interlacedPng, plainPng } from '../../../test/support/interlacedPng'
import { AppError } from '../../contract/errors'
import { decodePhoto } from './decode'

const RED_BLUE = Uint8Array.of(255, 0, 0, 255, 0, 0, 255, 128)

function gif(frames: number): Uint8Array {
  const bytes = new Uint8Array(400)
  const writer = new GifWriter(bytes, 2, 1, { palette: [0xff0000, 0x0000ff], loop: 0 })
  for (let n = 0; n < frames; n++) writer.addFrame(0, 0, 2, 1, n === 0 ? [0, 1] : [1, 0])
  return bytes.slice(0, writer.end())
}

function failureOf(file: Uint8Array): AppError {
  try {
    decodePhoto(file)
  } catch (error) {
    if (error instanceof AppError) return error
  }
  throw new Error('It was read.')
}

/** A PNG of one grey pixel with the given part in place of its data. */
function pngWith(width: number, height: number, data: Uint8Array): Uint8Array {
  const file = encode({ width: 1, height: 1, data: Uint8Array.of(7), channels: 1 }).slice()
  const view = new DataView(file.buffer)
  view.setUint32(16, width)
  view.setUint32(20, height)
  const whole = new Uint8Array(33 + 12 + data.length + 12)
  whole.set(file.subarray(0, 33))
  new DataView(whole.buffer).setUint32(33, data.length)
  whole.set([0x49, 0x44, 0x41, 0x54], 37)
  whole.set(data, 41)
  whole.set([0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82], 45 + data.length)
  return whole
}

describe('a picture file', () => {
  it('is read as PNG with its alpha', () => {
    const photo = decodePhoto(encode({ width: 2, height: 1, data: RED_BLUE, channels: 4 }))
    expect(photo).toEqual({ width: 2, height: 1, rgba: RED_BLUE })
  })

  it('is read as PNG of grey, of 16 bits and with a palette', () => {
    const grey = decodePhoto(encode({ width: 1, height: 1, data: Uint8Array.of(9), channels: 1 }))
    expect([...grey.rgba]).toEqual([9, 9, 9, 255])
    const deep = decodePhoto(
      encode({ width: 1, height: 1, data: Uint16Array.of(0xffff, 0, 257), channels: 3, depth: 16 }),
    )
    expect([...deep.rgba]).toEqual([255, 0, 1, 255])
    const palette = [
      [1, 2, 3],
      [4, 5, 6],
    ]
    const indexed = decodePhoto(encode({ width: 2, height: 1, data: Uint8Array.of(1, 0), channels: 1, palette }))
    expect([...indexed.rgba]).toEqual([4, 5, 6, 255, 1, 2, 3, 255])
  })

  it.each(
    [
      { type: 'grey', colourType: 0, depths: [1, 2, 4, 8, 16] },
      { type: 'colours', colourType: 2, depths: [8, 16] },
      { type: 'a palette', colourType: 3, depths: [1, 2, 4, 8] },
      { type: 'grey with alpha', colourType: 4, depths: [8, 16] },
      { type: 'colours with alpha', colourType: 6, depths: [8, 16] },
    ].flatMap(({ depths, ...kind }) => depths.map((depth) => ({ ...kind, depth }))),
  )('is read as interlaced PNG of $type with $depth bits, at any size', ({ colourType, depth }) => {
    for (const [width, height] of [
      [1, 1],
      [5, 3],
      [8, 8],
      [19, 13],
    ] as const) {
      const shape = { width, height, colourType, depth }
      expect(decodePhoto(interlacedPng(shape))).toEqual(decodePhoto(plainPng(shape)))
    }
  })

  it('is read as JPEG', () => {
    const rgba = new Uint8Array(16 * 16 * 4).fill(200)
    const photo = decodePhoto(Uint8Array.from(encodeJpeg({ width: 16, height: 16, data: rgba }, 100).data))
    expect([photo.width, photo.height]).toEqual([16, 16])
    expect(Math.abs((photo.rgba[0] ?? 0) - 200)).toBeLessThan(3)
  })

  it('is read as the first frame of a GIF, whatever follows', () => {
    const whole = gif(2)
    const first = [255, 0, 0, 255, 0, 0, 255, 255]
    expect([...decodePhoto(whole).rgba]).toEqual(first)
    expect([...decodePhoto(whole.subarray(0, whole.length - 9)).rgba]).toEqual(first)
  })

  it('of another kind is refused with the kinds that are read', () => {
    expect(failureOf(new TextEncoder().encode('<svg/>')).hint).toContain('PNG, JPEG or GIF')
  })

  it('that ends too early is refused with the byte', () => {
    const png = encode({ width: 2, height: 1, data: RED_BLUE, channels: 4 })
    expect(failureOf(png.subarray(0, 50)).message).toContain('at byte 33')
    expect(failureOf(gif(1).subarray(0, 30)).details).toMatchObject({ offset: 30 })
    const jpeg = Uint8Array.from(encodeJpeg({ width: 16, height: 16, data: new Uint8Array(1024) }).data)
    expect(failureOf(jpeg.subarray(0, 40)).message).toContain('at byte')
    expect(failureOf(jpeg.subarray(0, jpeg.length - 40)).message).toContain('JPEG')
  })

  it('that is too large is refused before it is unpacked, and so is one that unpacks to more than its pixels', () => {
    expect(failureOf(pngWith(60_000, 60_000, zlibSync(new Uint8Array(9)))).message).toContain('60,000 x 60,000')
    const bomb = zlibSync(new Uint8Array(1_000_000))
    expect(failureOf(pngWith(1, 1, bomb)).message).toContain('longer than its 2 bytes')
    const wideGif = gif(1)
    wideGif.set([0xff, 0xff, 0xff, 0xff], 6)
    expect(failureOf(wideGif).message).toContain('too large')
  })
})
