import { describe, expect, it } from 'vitest'
import { addressAt, clampView, fitView, MAX_ZOOM, placeLabels, reveal, zoomAt } from './mapView'

const size = { width: 512, height: 512 }

describe('the map', () => {
  it('fits the smaller side of its pane with whole pixels for each cell', () => {
    expect(fitView({ width: 900, height: 512 }, 1)).toEqual({ zoom: 2, left: 0, top: 0 })
    expect([1023, 1024, 300].map((side) => fitView({ width: side, height: side }, 1).zoom)).toEqual([3, 4, 1])
    expect(fitView({ width: 128, height: 300 }, 1).zoom).toBe(0.5)
  })

  it('counts the pixels of the display, not those of the page', () => {
    expect(fitView({ width: 400, height: 400 }, 2).zoom).toBe(1.5)
    expect(fitView({ width: 400, height: 400 }, 1.25).zoom).toBe(0.8)
  })

  it('zooms in whole pixels, by one at least', () => {
    const once = (from: number, factor: number) =>
      zoomAt({ zoom: from, left: 0, top: 0 }, factor, 0, 0, { width: 256, height: 256 }, 1).zoom
    expect([once(1, 1.2), once(2, 1.2), once(10, 1.2), once(3, 2)]).toEqual([2, 3, 12, 6])
    expect([once(2, 1 / 1.2), once(12, 1 / 1.2), once(6, 1 / 2)]).toEqual([1, 10, 3])
  })

  it('has a page of memory in each row', () => {
    const view = fitView(size, 1)
    expect(addressAt(view, 0, 0)).toBe(0)
    expect(addressAt(view, 0x20 * 2 + 1, 0xd0 * 2)).toBe(0xd020)
    expect(addressAt(view, 511.9, 511.9)).toBe(0xffff)
    expect(addressAt(view, 512, 0)).toBeNull()
    expect(addressAt(view, 0, -1)).toBeNull()
  })

  it('keeps the cell under the pointer while it zooms', () => {
    const before = fitView(size, 1)
    const after = zoomAt(before, 4, 300, 100, size, 1)
    expect(after.zoom).toBe(8)
    expect(addressAt(after, 300, 100)).toBe(addressAt(before, 300, 100))
  })

  it('never leaves its pane, and zooms only so far', () => {
    expect(zoomAt(fitView(size, 1), 0.25, 10, 10, size, 1)).toEqual(fitView(size, 1))
    expect(zoomAt(fitView(size, 1), 1000, 0, 0, size, 1).zoom).toBe(MAX_ZOOM)
    expect(clampView({ zoom: 4, left: 999, top: -5 }, size, 1)).toEqual({ zoom: 4, left: 128, top: 0 })
  })

  it('moves as little as needed to show an address', () => {
    const view = { zoom: 8, left: 0, top: 0 }
    expect(reveal(view, 0x1010, size, 1)).toEqual(view)
    const moved = reveal(view, 0xff10, size, 1)
    expect(moved).toEqual({ zoom: 8, left: 0, top: 192 })
    expect(addressAt(moved, 0x10 * 8, 511)).toBe(0xff10)
  })
})

describe('the names beside the map', () => {
  const band = (name: string, from: number, to: number) => ({ name, from, to })

  it('stand at all bands that are high enough', () => {
    expect(placeLabels([band('one', 0, 40), band('two', 40, 80)], 80)).toEqual([
      { name: 'one', y: 1 },
      { name: 'two', y: 41 },
    ])
  })

  it('stand at small bands only where the next high one leaves room', () => {
    const bands = [
      band('a', 0, 3),
      band('b', 3, 6),
      band('c', 6, 19),
      band('d', 19, 60),
      band('e', 60, 63),
      band('high', 64, 90),
    ]
    expect(placeLabels(bands, 90).map(({ name }) => name)).toEqual(['c', 'd', 'high'])
    expect(placeLabels([band('a', 0, 3), band('b', 3, 13), band('high', 13, 90)], 90).map(({ name }) => name)).toEqual([
      'a',
      'high',
    ])
  })

  it('stay inside the pane when it is scrolled', () => {
    expect(placeLabels([band('above', -50, -10), band('across', -10, 40), band('last', 40, 200)], 50)).toEqual([
      { name: 'across', y: 1 },
    ])
  })
})
