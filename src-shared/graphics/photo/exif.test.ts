import { encode } from 'jpeg-js'
import { describe, expect, it } from 'vitest'
import { decodePhoto } from './decode'
import { orientationOf, upright, type Orientation } from './exif'

/** Of three pixels in a row and two rows: the numbers 1 to 6. */
const photo = { width: 3, height: 2, rgba: Uint8Array.from([1, 2, 3, 4, 5, 6].flatMap((n) => [n, 0, 0, 255])) }
const numbers = (orientation: Orientation) => {
  const { width, height, rgba } = upright(photo, orientation)
  const all = [...rgba].filter((_, at) => at % 4 === 0)
  return Array.from({ length: height }, (_, row) => all.slice(row * width, (row + 1) * width).join('')).join(' ')
}

/** A JPEG with an EXIF part. */
function jpeg(orientation: number, isLittle: boolean, entries = 1): Uint8Array {
  const { data } = encode({ width: 16, height: 8, data: new Uint8Array(16 * 8 * 4).fill(200) }, 90)
  const exif = new Uint8Array(6 + 8 + 2 + 12 + 4)
  exif.set(new TextEncoder().encode('Exif\0\0'))
  exif.set(isLittle ? [0x49, 0x49] : [0x4d, 0x4d], 6)
  const view = new DataView(exif.buffer)
  view.setUint16(8, 42, isLittle)
  view.setUint32(10, 8, isLittle)
  view.setUint16(14, entries, isLittle)
  view.setUint16(16, 0x0112, isLittle)
  view.setUint16(18, 3, isLittle)
  view.setUint32(20, 1, isLittle)
  view.setUint16(24, orientation, isLittle)
  const length = exif.length + 2
  return Uint8Array.from([0xff, 0xd8, 0xff, 0xe1, length >> 8, length & 0xff, ...exif, ...data.subarray(2)])
}

describe('a JPEG of a camera', () => {
  it.each([
    [1, '123 456'],
    [2, '321 654'],
    [3, '654 321'],
    [4, '456 123'],
    [5, '14 25 36'],
    [6, '41 52 63'],
    [7, '63 52 41'],
    [8, '36 25 14'],
  ] as const)('with orientation %i is turned upright', (orientation, expected) => {
    expect(numbers(orientation)).toBe(expected)
  })

  it.each([true, false])('tells how it was held, in either order of bytes (%s)', (isLittle) => {
    expect(orientationOf(jpeg(6, isLittle))).toBe(6)
    expect(decodePhoto(jpeg(6, isLittle))).toMatchObject({ width: 8, height: 16 })
  })

  it('is upright where its EXIF part is damaged or says something else', () => {
    expect(orientationOf(jpeg(9, true))).toBe(1)
    const damaged = jpeg(6, true)
    damaged[16] = 0xff
    expect(orientationOf(damaged)).toBe(1)
    expect(orientationOf(jpeg(6, false).subarray(0, 30))).toBe(1)
    expect(decodePhoto(jpeg(1, true))).toMatchObject({ width: 16, height: 8 })
  })
})
