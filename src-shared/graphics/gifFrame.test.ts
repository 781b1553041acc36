import { assert, constantFrom, integer, property, tuple } from 'fast-check'
import { GifReader, GifWriter } from 'omggif'
import { describe, expect, it } from 'vitest'
import { randomBytes } from '../../test/support/graphicsSamples'
import { drawGifFrame } from './gifFrame'

const greys = (count: number) => Array.from({ length: count }, (_, at) => (at << 16) | (at << 8) | at)

function written(pixels: readonly number[], width: number, colours: number): Uint8Array {
  const file = new Uint8Array(4096 + pixels.length * 2)
  const writer = new GifWriter(file, width, pixels.length / width, { palette: greys(colours) })
  writer.addFrame(0, 0, width, pixels.length / width, [...pixels])
  return file.slice(0, writer.end())
}

function drawn(file: Uint8Array) {
  const reader = new GifReader(file)
  const { width, height } = reader
  const rgba = new Uint8Array(width * height * 4)
  const missing = drawGifFrame(file, reader.frameInfo(0), { width, height, rgba })
  return { missing, reds: Array.from({ length: width * height }, (_, at) => rgba[at * 4]), rgba }
}

/** Of a file without extensions and with a table of two colours. */
const DATA = 13 + 6 + 10

/** One row of eight black and white pixels, with codes of our own. */
function ofData(...data: number[]): Uint8Array {
  const file = written([0, 1, 0, 1, 0, 1, 0, 1], 8, 2)
  return Uint8Array.from([...file.subarray(0, DATA), ...data, 0, 0x3b])
}

describe('a frame of a GIF', () => {
  it('is as it was written, however many colours and codes it takes', () => {
    assert(
      property(
        tuple(constantFrom(2, 4, 16, 256), integer({ min: 1, max: 90 }), integer({ min: 1, max: 90 }), integer()),
        ([colours, width, height, seed]) => {
          const pixels = [...randomBytes(seed, width * height, seed % 3 === 0 ? 2 : colours)]
          expect(drawn(written(pixels, width, colours))).toMatchObject({ missing: 0, reds: pixels })
        },
      ),
    )
  })

  it('has its rows in order where they are stored every eighth first', () => {
    const file = written(
      Array.from({ length: 10 }, (_, row) => row),
      1,
      16,
    )
    const place = file.indexOf(0x2c, 13 + 48) + 9
    file[place] = (file[place] ?? 0) | 0x40
    expect(drawn(file).reds).toEqual([0, 5, 3, 6, 2, 7, 4, 8, 1, 9])
  })

  it('ends at a code that stands for nothing yet, and says how many pixels are missing', () => {
    // Codes of 2 bits, colour 1 (binary 01) first: 01 then 11, which is the end.
    expect(drawn(ofData(1, 1, 0b1101))).toMatchObject({ missing: 7 })
    // Codes of 3 bits: a colour, then one that is two ahead.
    expect(drawn(ofData(2, 1, 0b111_001))).toMatchObject({ missing: 7 })
  })

  it('ends where the file does', () => {
    const file = written([...randomBytes(1, 400, 16)], 20, 16)
    const { data_offset: start } = new GifReader(file).frameInfo(0)
    file[start + 1] = 3
    file[start + 5] = 0
    const rgba = new Uint8Array(1600)
    const frame = { ...new GifReader(written([...randomBytes(1, 400, 16)], 20, 16)).frameInfo(0) }
    const missing = drawGifFrame(file, frame, { width: 20, height: 20, rgba })
    expect(missing).toBeGreaterThan(390)
    expect(missing).toBeLessThan(400)
  })
})
