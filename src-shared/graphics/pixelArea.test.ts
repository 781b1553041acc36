import { describe, expect, it } from 'vitest'
import { formatPixelArea, parsePixelArea } from './pixelArea'

describe('a part of a picture', () => {
  it('is written as its size and its place, the top left where that is left out', () => {
    expect(parsePixelArea('320x8+32+35')).toEqual({ x: 32, y: 35, width: 320, height: 8 })
    expect(parsePixelArea(' 10x20 ')).toEqual({ x: 0, y: 0, width: 10, height: 20 })
    expect(formatPixelArea({ x: 32, y: 35, width: 320, height: 8 })).toBe('320x8+32+35')
  })

  it.each(['', '0x8', '8x0+1+1', '8', '8x8+1', '-8x8', '8x8+1+1+1', '999999x1'])('is not %j', (text) => {
    expect(() => parsePixelArea(text)).toThrow(/no part of a picture/)
  })
})
