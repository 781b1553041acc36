import { describe, expect, it } from 'vitest'
import { spritePixels, TRANSPARENT } from '../c64/sprites'
import { SPRITE_BYTES } from './artwork'
import { blocksOfCell, paintBlock, paintCell, type BlockColours } from './blockPainter'

const data = Uint8Array.from({ length: 130 }, (_, at) => (at * 37) & 0xff)

describe('painting a block', () => {
  it('shows each pixel as the VIC-II does, in one colour and in several', () => {
    for (const multicolour of [false, true]) {
      const words = new Uint32Array(24 * 21)
      paintBlock({ words, width: 24 }, 0, data, 0, multicolour ? [100, 1, 2, 3] : [100, 2])
      const pixels = spritePixels(data, { multicolour, colour: 2, multicolour1: 1, multicolour2: 3 })
      expect([...words]).toEqual([...pixels].map((pixel) => (pixel === TRANSPARENT ? 100 : pixel)))
    }
  })

  it('draws again only what changed where it stands, and all of it in a new place or in other colours', () => {
    const bytes = new Uint8Array(SPRITE_BYTES)
    const words = new Uint32Array(24 * 21)
    const memory = data.slice()
    const whole = (colours: BlockColours): number[] => {
      const fresh = new Uint32Array(24 * 21)
      paintBlock({ words: fresh, width: 24 }, 0, memory, 0, colours)
      return [...fresh]
    }
    const paint = (colours: BlockColours, isThere: boolean): void =>
      paintBlock({ words, width: 24 }, 0, memory, 0, colours, { drawn: { bytes, at: 0, isThere } })
    paint([1, 2], false)
    expect([...words]).toEqual(whole([1, 2]))
    memory.set([0x55, 0xaa], 30)
    words[0] = 99
    paint([1, 2], true)
    expect(words[0]).toBe(99)
    expect([...words.subarray(1)]).toEqual(whole([1, 2]).slice(1))
    paint([1, 2, 3, 4], false)
    expect([...words]).toEqual(whole([1, 2, 3, 4]))
  })

  it('leaves what is around it', () => {
    const words = new Uint32Array(30 * 25).fill(7)
    paintBlock({ words, width: 30 }, 30 * 2 + 3, data, 0, [8, 9])
    expect([...words].filter((word) => word !== 7)).toHaveLength(24 * 21)
  })
})

describe('painting a cell', () => {
  it('lays each second block over the one before', () => {
    const memory = new Uint8Array(128)
    memory.set([0xff, 0, 0], 0)
    memory.set([0x0f, 0, 0], 64)
    const words = new Uint32Array(24 * 21)
    const shape = { columns: 1, rows: 1, isOverlay: true }
    paintCell({ words, width: 24 }, 0, shape, (n) => ({ memory, address: n * 64, colours: [0, n + 1] }))
    expect([...words.subarray(0, 9)]).toEqual([1, 1, 1, 1, 2, 2, 2, 2, 0])
  })

  it('sets sprites beside and below each other', () => {
    const shape = { columns: 2, rows: 2, isOverlay: false }
    const words = new Uint32Array(48 * 42)
    const memory = new Uint8Array(63).fill(0xff)
    paintCell({ words, width: 48 }, 0, shape, (n) => ({ memory, address: 0, colours: [0, n + 1] }))
    expect([words[0], words[24], words[48 * 21], words[48 * 21 + 24]]).toEqual([1, 2, 3, 4])
    expect(blocksOfCell(shape)).toBe(4)
  })
})
