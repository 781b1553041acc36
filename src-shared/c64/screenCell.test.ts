import { describe, expect, it } from 'vitest'
import { DISPLAY_X, displayTop } from './picture'
import { bytesOf, cellAt, cellOf, placeOfCell } from './screenCell'
import { decodeVideo } from './video'

/** As after power-on, with some registers changed. */
function video(changes: Record<number, number> = {}) {
  const io = new Uint8Array(0x1000)
  const powerOn = { 0xd011: 0x1b, 0xd016: 0xc8, 0xd018: 0x15, 0xdd00: 0x97 }
  for (const [address, value] of Object.entries({ ...powerOn, ...changes })) io[Number(address) - 0xd000] = value
  return decodeVideo(io)
}

const bitmap = { 0xd011: 0x3b, 0xd018: 0x18 }
const at = (shown: ReturnType<typeof video>, x: number, y: number) =>
  cellAt(shown, 272, DISPLAY_X + x, displayTop(272) + y)

describe('the cell at a pixel of the picture', () => {
  it('is one of 40 by 25, with the line in it', () => {
    expect(at(video(), 0, 0)).toEqual({ row: 0, column: 0, line: 0 })
    expect(at(video(), 12.9, 19.5)).toEqual({ row: 2, column: 1, line: 3 })
    expect(at(video(), 319, 199)).toEqual({ row: 24, column: 39, line: 7 })
    for (const height of [247, 240] as const)
      expect(cellAt(video(), height, DISPLAY_X, displayTop(height))).toEqual({ row: 0, column: 0, line: 0 })
  })

  it('is none in the border, which is wider with 38 columns and 24 rows, and all of it with the display off', () => {
    for (const [x, y] of [
      [-1, 0],
      [320, 0],
      [0, -1],
      [0, 200],
    ] as const)
      expect(at(video(), x, y)).toBeNull()
    const narrow = video({ 0xd011: 0x13, 0xd016: 0xc0 })
    expect([at(narrow, 6, 50), at(narrow, 311, 50), at(narrow, 50, 3), at(narrow, 50, 196)]).toEqual([
      null,
      null,
      null,
      null,
    ])
    expect(at(narrow, 7, 50)).not.toBeNull()
    expect(at(video({ 0xd011: 0x0b }), 100, 100)).toBeNull()
  })

  it('moves with the scroll registers, and stands for what they lay bare at the edge', () => {
    const scrolled = video({ 0xd011: 0x1d, 0xd016: 0xcc })
    expect(at(scrolled, 4, 2)).toEqual({ row: 0, column: 0, line: 0 })
    expect(at(scrolled, 3, 10)).toEqual({ row: 1, column: 0, line: 0 })
    expect(placeOfCell(scrolled, 272, { row: 0, column: 0, line: 0 })).toEqual({ x: 36, y: 45 })
  })
})

describe('the bytes of a cell', () => {
  it('are those of screen and colour, wherever the screen is', () => {
    expect(bytesOf(video(), { row: 2, column: 3, line: 4 })).toEqual({ screen: 0x0453, colour: 0xd853, bitmap: null })
    const moved = video({ 0xd018: 0x35, 0xdd00: 0x94 })
    expect(bytesOf(moved, { row: 0, column: 0, line: 0 }).screen).toBe(0xcc00)
  })

  it('are also that of the bitmap where there is one', () => {
    expect(bytesOf(video(bitmap), { row: 1, column: 2, line: 3 }).bitmap).toBe(0x2000 + 42 * 8 + 3)
  })

  it.each(['screen', 'colour', 'bitmap'] as const)('lead back to it from %s', (kind) => {
    const shown = video(bitmap)
    const cell = { row: 12, column: 34, line: kind === 'bitmap' ? 5 : 0 }
    expect(cellOf(shown, bytesOf(shown, cell)[kind] ?? -1)).toEqual(cell)
  })

  it('are no others', () => {
    expect([0x03ff, 0x07e8, 0x2000, 0xdbe8].map((address) => cellOf(video(), address))).toEqual([
      null,
      null,
      null,
      null,
    ])
  })
})
