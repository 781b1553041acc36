import { describe, expect, it } from 'vitest'
import { bitmapSurface, coloursOfCell } from './bitmapSurface'
import { blockSurface } from './blockSurface'
import { cellSurface, cellValue } from './cellSurface'
import { ellipse, fill, line, rectangle } from './shapes'
import { changesBetween, wholeOf, withPoints, type Parts, type Surface } from './surface'
import { cleared, copied, exchanged, inverted, mirrored, pasted, rotated, shifted } from './transforms'

const sprite = (isMulticolour = false, count = 1): Surface =>
  blockSurface({
    blocks: Array.from({ length: count }, (_, part) => ({ part, isMulticolour })),
    columns: count,
    width: 24,
    height: 21,
  })
const character = blockSurface({ blocks: [{ part: 0, isMulticolour: false }], columns: 1, width: 8, height: 8 })
const emptySprites = (count = 1): Uint8Array[] => Array.from({ length: count }, () => new Uint8Array(63))
const rows = (surface: Surface, parts: Parts): string[] =>
  Array.from({ length: surface.height }, (_, y) =>
    Array.from({ length: surface.width }, (_, x) => surface.get(parts, x, y)).join(''),
  )

describe('a grid of sprites', () => {
  it('draws a hires pixel as one bit, and tells which byte changed', () => {
    const before = emptySprites()
    const after = withPoints(sprite(), before, [{ x: 9, y: 2, value: 1 }])
    expect(changesBetween(before, after)).toEqual([
      { part: 0, offset: 7, before: Uint8Array.of(0), after: Uint8Array.of(0x40) },
    ])
  })

  it('draws a multicolour pixel as a bit pair, two points wide', () => {
    const surface = sprite(true)
    const after = withPoints(surface, emptySprites(), [{ x: 3, y: 0, value: 2 }])
    expect(after[0]?.[0]).toBe(0b00100000)
    expect([2, 3, 4].map((x) => surface.get(after, x, 0))).toEqual([2, 2, 0])
  })

  it('crosses the border from one sprite to the next', () => {
    const after = withPoints(sprite(false, 2), emptySprites(2), line({ x: 23, y: 0 }, { x: 24, y: 0 }, 1))
    expect([after[0]?.[2], after[1]?.[0]]).toEqual([0x01, 0x80])
  })

  it('leaves out what is outside', () => {
    const before = emptySprites()
    expect(
      withPoints(sprite(), before, [
        { x: -1, y: 0, value: 1 },
        { x: 0, y: 21, value: 1 },
      ]),
    ).toEqual(before)
  })

  it('names only the bytes that differ', () => {
    const before = [Uint8Array.of(1, 2, 3, 4)]
    const changes = changesBetween(before, [Uint8Array.of(9, 2, 8, 7)])
    expect(changes.map(({ offset, after }) => [offset, [...after]])).toEqual([
      [0, [9]],
      [2, [8, 7]],
    ])
  })
})

describe('a tool', () => {
  it('draws lines in all directions with both ends', () => {
    expect(line({ x: 3, y: 1 }, { x: 0, y: 0 }, 1).map(({ x, y }) => `${x},${y}`)).toEqual(['3,1', '2,1', '1,0', '0,0'])
    expect(line({ x: 2, y: 2 }, { x: 2, y: 2 }, 1)).toHaveLength(1)
  })

  it('draws rectangles by any two corners, as an outline or filled', () => {
    expect(rectangle({ x: 3, y: 3 }, { x: 0, y: 0 }, 1, false)).toHaveLength(12)
    expect(rectangle({ x: 3, y: 3 }, { x: 0, y: 0 }, 1, true)).toHaveLength(16)
  })

  it('draws ellipses that touch all four sides and no more', () => {
    const spots = ellipse({ x: 0, y: 0 }, { x: 6, y: 6 }, 1)
    expect(Math.min(...spots.map(({ x }) => x))).toBe(0)
    expect(Math.max(...spots.map(({ y }) => y))).toBe(6)
    expect(spots.some(({ x, y }) => x === 0 && y === 0)).toBe(false)
  })

  it('fills what hangs together, up to the lines around it', () => {
    const framed = withPoints(character, [new Uint8Array(8)], rectangle({ x: 1, y: 1 }, { x: 6, y: 6 }, 1, false))
    const filled = withPoints(character, framed, fill(character, framed, { x: 3, y: 3 }, 1))
    expect([...(filled[0] ?? [])]).toEqual([0, 0x7e, 0x7e, 0x7e, 0x7e, 0x7e, 0x7e, 0])
    expect(fill(character, framed, { x: 0, y: 0 }, 1)).toHaveLength(28)
  })
})

describe('a change of a whole area', () => {
  const glyph = [Uint8Array.of(0x80, 0xc0, 0, 0, 0, 0, 0, 0x01)]
  const whole = wholeOf(character)
  const bytes = (points: Parameters<typeof withPoints>[2]) => [...(withPoints(character, glyph, points)[0] ?? [])]

  it('mirrors from left to right, and from top to bottom', () => {
    expect(bytes(mirrored(character, glyph, whole, 'x'))).toEqual([0x01, 0x03, 0, 0, 0, 0, 0, 0x80])
    expect(bytes(mirrored(character, glyph, whole, 'y'))).toEqual([0x01, 0, 0, 0, 0, 0, 0xc0, 0x80])
  })

  it('shifts, and what leaves comes in on the other side', () => {
    expect(bytes(shifted(character, glyph, whole, { x: 1, y: 0 }))).toEqual([0x40, 0x60, 0, 0, 0, 0, 0, 0x80])
    expect(bytes(shifted(character, glyph, whole, { x: 0, y: -1 }))).toEqual([0xc0, 0, 0, 0, 0, 0, 0x01, 0x80])
  })

  it('inverts, clears and exchanges', () => {
    expect(bytes(inverted(character, glyph, whole))[0]).toBe(0x7f)
    expect(bytes(cleared(character, whole))).toEqual(Array<number>(8).fill(0))
    expect(bytes(exchanged(character, glyph, whole, 0, 1))[1]).toBe(0x3f)
  })

  it('turns a square four times into itself', () => {
    let parts: Parts = glyph
    for (let turn = 0; turn < 4; turn++) {
      const { points, lost } = rotated(character, parts, whole)
      expect(lost).toBe(0)
      parts = withPoints(character, parts, points)
    }
    expect(parts).toEqual(glyph)
    expect(bytes(rotated(character, glyph, whole).points).slice(0, 2)).toEqual([0x03, 0x02])
  })

  it('turns a sprite about its centre, and counts what has no place', () => {
    const surface = sprite()
    const drawn = withPoints(surface, emptySprites(), [
      { x: 0, y: 0, value: 1 },
      { x: 1, y: 0, value: 1 },
    ])
    const { points, lost } = rotated(surface, drawn, wholeOf(surface))
    expect(lost).toBe(1)
    const turned = withPoints(surface, drawn, points)
    expect(rows(surface, turned).flatMap((row, y) => (row.includes('1') ? [[row.indexOf('1'), y]] : []))).toEqual([
      [21, 0],
    ])
  })

  it('copies an area and pastes it into another surface, also where a part of it lies outside', () => {
    const clip = copied(character, glyph, { x: 0, y: 0, width: 2, height: 2 })
    const surface = sprite()
    const after = withPoints(surface, emptySprites(), pasted(clip, { x: 22, y: 19 }))
    expect(
      rows(surface, after)
        .slice(19)
        .map((row) => row.slice(22)),
    ).toEqual(['10', '11'])
    expect(withPoints(surface, emptySprites(), pasted(clip, { x: 23, y: 20 }))[0]?.[62]).toBe(1)
  })
})

describe('a bitmap', () => {
  const parts = (): Uint8Array[] => [new Uint8Array(8000), new Uint8Array(1000).fill(0x10), new Uint8Array(1000)]

  it('draws a colour that the cell has with its bits alone', () => {
    const before = parts()
    const after = withPoints(bitmapSurface('bitmap', 0, 'replace'), before, [{ x: 8, y: 1, value: 1 }])
    expect(changesBetween(before, after)).toEqual([
      { part: 0, offset: 9, before: Uint8Array.of(0), after: Uint8Array.of(0x80) },
    ])
  })

  it('gives a new colour the place of one that no pixel of the cell has', () => {
    const surface = bitmapSurface('bitmap', 0, 'replace')
    const after = withPoints(surface, parts(), [{ x: 0, y: 0, value: 5 }])
    expect([after[0]?.[0], after[1]?.[0]]).toEqual([0x80, 0x50])
    expect(coloursOfCell(after, 'bitmap', 0, 0, 0)).toEqual({ used: new Set([5, 0]), limit: 2 })
  })

  it('in a full cell replaces the colour that is used least, or leaves the cell as it is', () => {
    const surface = bitmapSurface('bitmap', 0, 'replace')
    const full = withPoints(surface, parts(), [{ x: 0, y: 0, value: 5 }])
    const after = withPoints(surface, full, [{ x: 4, y: 4, value: 7 }])
    expect([surface.get(after, 0, 0), surface.get(after, 4, 4), surface.get(after, 7, 7)]).toEqual([7, 7, 0])
    expect(withPoints(bitmapSurface('bitmap', 0, 'leave'), full, [{ x: 4, y: 4, value: 7 }])).toEqual(full)
  })

  it('has three colours of its own and the background in multicolour, two points wide', () => {
    const surface = bitmapSurface('multicolourBitmap', 6, 'replace')
    const after = withPoints(
      surface,
      [new Uint8Array(8000), new Uint8Array(1000), new Uint8Array(1000)],
      [
        { x: 0, y: 0, value: 1 },
        { x: 2, y: 0, value: 2 },
        { x: 4, y: 0, value: 3 },
        { x: 6, y: 0, value: 6 },
      ],
    )
    expect(Array.from({ length: 8 }, (_, x) => surface.get(after, x, 0))).toEqual([1, 1, 2, 2, 3, 3, 6, 6])
    expect(coloursOfCell(after, 'multicolourBitmap', 6, 0, 0).used.size).toBe(4)
  })

  it('mirrors with all of its colours', () => {
    const surface = bitmapSurface('bitmap', 0, 'replace')
    const drawn = withPoints(surface, parts(), [
      { x: 0, y: 0, value: 5 },
      { x: 319, y: 0, value: 9 },
    ])
    const after = withPoints(surface, drawn, mirrored(surface, drawn, wholeOf(surface), 'x'))
    expect([surface.get(after, 0, 0), surface.get(after, 319, 0), surface.get(after, 1, 0)]).toEqual([9, 5, 0])
  })
})

describe('a text screen', () => {
  const screenSize = { width: 40, height: 25 }
  const parts = () => [new Uint8Array(1000).fill(0x20), new Uint8Array(1000).fill(0xfe)]

  it('draws a character with its colour, and leaves the upper nibble of colour RAM', () => {
    const before = parts()
    const after = withPoints(cellSurface('both', 14, screenSize), before, [{ x: 1, y: 1, value: cellValue(0x51, 2) }])
    expect(changesBetween(before, after).map(({ part, offset, after }) => [part, offset, [...after]])).toEqual([
      [0, 41, [0x51]],
      [1, 41, [0xf2]],
    ])
  })

  it('draws the colour alone, or the character alone', () => {
    const value = cellValue(0x51, 2)
    expect(
      withPoints(cellSurface('colour', 14, screenSize), parts(), [{ x: 0, y: 0, value }]).map(([byte]) => byte),
    ).toEqual([0x20, 0xf2])
    expect(
      withPoints(cellSurface('character', 14, screenSize), parts(), [{ x: 0, y: 0, value }]).map(([byte]) => byte),
    ).toEqual([0x51, 0xfe])
  })

  it('inverts by reverse video', () => {
    const surface = cellSurface('both', 14, screenSize)
    const area = { x: 0, y: 0, width: 1, height: 1 }
    expect(withPoints(surface, parts(), inverted(surface, parts(), area))[0]?.[0]).toBe(0xa0)
  })
})
