import { describe, expect, it } from 'vitest'
import { comparePixels } from './comparePixels'

describe('pictures', () => {
  const filled = (value: number) => ({ width: 4, height: 2, rgba: new Uint8Array(32).fill(value) })

  it('differ by pixels, by more than the tolerance', () => {
    const found = filled(100)
    found.rgba.set([110, 100, 90], 4)
    expect(comparePixels(filled(100), found)).toMatchObject({ pixels: 1, compared: 8, largest: 10 })
    expect(comparePixels(filled(100), found, { tolerance: 10 })).toMatchObject({ pixels: 0, largest: 10, area: null })
  })

  it('differ in a part of them', () => {
    const found = filled(100)
    found.rgba.set([0], 1 * 4)
    found.rgba.set([0], 6 * 4)
    expect(comparePixels(filled(100), found)?.area).toEqual({ x: 1, y: 0, width: 2, height: 2 })
  })

  it('do not differ where they are masked, also past their edge', () => {
    const masks = [{ x: 1, y: 0, width: 300, height: 200 }]
    expect(comparePixels(filled(0), filled(255), { masks })).toMatchObject({ pixels: 2, compared: 2 })
  })

  it('show what differs in red', () => {
    const difference = comparePixels(filled(0), filled(255))
    expect([...(difference?.image.rgba.subarray(0, 4) ?? [])]).toEqual([0xff, 0x20, 0x20, 0xff])
  })

  it('of different sizes cannot be compared', () => {
    expect(comparePixels(filled(0), { width: 2, height: 2, rgba: new Uint8Array(16) })).toBeNull()
  })
})
