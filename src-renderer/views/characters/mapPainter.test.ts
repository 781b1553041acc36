import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { GraphicsImage } from '@shared/graphics/grab'
import { MapPainter } from './mapPainter'

beforeEach(() => {
  vi.stubGlobal('ImageData', function () {
    return { data: new Uint8ClampedArray(256) }
  })
})
afterEach(() => vi.unstubAllGlobals())

it('a map of the VIC-II’s screen has the character ROM where the VIC-II sees that, and RAM elsewhere', () => {
  const io = new Uint8Array(0x1000)
  io[0xd00] = 0x03
  const image: GraphicsImage = {
    io,
    ram: new Uint8Array(0x10000).fill(1),
    characterRom: new Uint8Array(0x1000).fill(2),
    colorRam: new Uint8Array(0x400),
  }
  const painter = new MapPainter()
  const tileOnScreenAt = (d018: number) => {
    io[0x18] = d018
    const size = { columns: 40, rows: 25, width: 1, height: 1 }
    painter.read(image, { ...size, address: null }, { ...size, layout: 'rows', definitions: 0x4000 })
    return painter.facts(0, 0).find(({ label }) => label === 'Tile')?.text
  }
  expect([tileOnScreenAt(0x10), tileOnScreenAt(0x40), tileOnScreenAt(0x10)]).toEqual(['$01 = 1', '$02 = 2', '$01 = 1'])
  expect(image.ram.every((byte) => byte === 1)).toBe(true)
})
