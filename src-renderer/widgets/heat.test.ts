import { describe, expect, it } from 'vitest'
import { FADE_MS, heatAt, heatOf, hotKindAt, heatTable, HEAT_STEPS, imageDataWord, mix, paintHeat } from './heat'

const theme = {
  ground: 0x000000,
  ink: 0xffffff,
  hot: { changed: 0xff8000, read: 0x0080ff, run: 0x00ff80 },
  stale: 0x400000,
}
const table = heatTable(theme)
const still = { kinds: null, heldFrom: null, noise: null, isStale: null }

describe('the colour of a byte', () => {
  it('is the ground for a still zero, and rises with the value', () => {
    expect(table[0]).toBe(imageDataWord(0x000000))
    const brightness = [0, 1, 128, 255].map((value) => (table[value] ?? 0) & 0xff)
    expect(brightness).toEqual([...brightness].sort((a, b) => a - b))
    expect(new Set(brightness).size).toBe(4)
  })

  it('is that of a change at full heat, whatever its value', () => {
    const hottest = (HEAT_STEPS - 1) * 256
    expect(table[hottest]).toBe(imageDataWord(0xff8000))
    expect(table[hottest + 255]).toBe(imageDataWord(0xff8000))
  })

  it('is written as opaque R G B A bytes', () => {
    const word = new Uint8Array(Uint32Array.of(imageDataWord(0x123456)).buffer)
    expect([...word]).toEqual([0x12, 0x34, 0x56, 0xff])
  })

  it('mixes in each channel', () => {
    expect(mix(0x000000, 0xff8040, 0.5)).toBe(0x804020)
    expect([mix(0x102030, 0xffffff, 0), mix(0x102030, 0xffffff, 1)]).toEqual([0x102030, 0xffffff])
  })
})

describe('the age of a change', () => {
  it('goes from full heat to none over the decay', () => {
    expect([heatOf(0), heatOf(FADE_MS / 2), heatOf(FADE_MS), heatOf(Infinity)]).toEqual([1, 0.5, 0, 0])
    expect(heatOf(-5)).toBe(1)
  })

  it('fades in the map from the newest to the oldest', () => {
    const bytes = new Uint8Array(0x10000)
    const changedAt = new Float64Array(0x10000).fill(-Infinity)
    const now = 10_000
    changedAt.set([now, now - 500, now - 1500, now - FADE_MS])
    const out = new Uint32Array(0x10000)
    const newest = paintHeat(bytes, { since: changedAt, ...still }, now, table, out, 0, 0x10000)
    expect(newest).toBe(now)
    const red = [...out.subarray(0, 5)].map((word) => word & 0xff)
    expect(red[0]).toBe(0xff)
    expect(red).toEqual([...red].sort((a, b) => b - a))
    expect(new Set(red.slice(0, 4)).size).toBe(4)
    expect([red[3], red[4]]).toEqual([0, 0])
  })

  it('has the colour of what made the byte hot', () => {
    const since = new Float64Array(0x10000).fill(100)
    const heat = { ...still, since, kinds: Uint8Array.of(0, 1, 2) }
    const out = new Uint32Array(3)
    paintHeat(new Uint8Array(3), heat, 100, table, out, 0, 3)
    expect([...out]).toEqual([0xff8000, 0x0080ff, 0x00ff80].map(imageDataWord))
    expect([0, 1, 2].map((address) => hotKindAt(heat, address))).toEqual(['changed', 'read', 'run'])
  })

  it('does not count while heat stays, from a moment on', () => {
    const since = Float64Array.of(999, 1000, 5000)
    const heat = { ...still, since, heldFrom: 1000 }
    const out = new Uint32Array(3)
    paintHeat(new Uint8Array(3), heat, 90_000, table, out, 0, 3)
    expect([...out]).toEqual([0x000000, 0xff8000, 0xff8000].map(imageDataWord))
    expect([0, 1, 2].map((address) => heatAt(heat, 90_000, address))).toEqual([0, 1, 1])
  })

  it('is not told where nothing answers', () => {
    const bytes = new Uint8Array(0x10000)
    const heat = { ...still, since: new Float64Array(0x10000).fill(100), noise: { start: 0xde00, end: 0xe000 } }
    const out = new Uint32Array(0x10000)
    expect(paintHeat(bytes, heat, 100, table, out, 0xde00, 0xe000)).toBe(-Infinity)
    expect(paintHeat(bytes, heat, 100, table, out, 0xd000, 0xf000)).toBe(100)
    expect([0xddff, 0xde00].map((address) => heatAt(heat, 100, address))).toEqual([1, 0])
    expect([out[0xddff], out[0xde00], out[0xdfff], out[0xe000]].map((word) => word === table[0])).toEqual([
      false,
      true,
      true,
      false,
    ])
  })

  it('gives way to a chequer where bytes are no longer known, unless they were just touched', () => {
    const since = new Float64Array(0x10000).fill(-Infinity)
    since[0x0802] = 100
    const isStale = (address: number) => address >= 0x0800 && address < 0x0803
    const out = new Uint32Array(0x10000)
    paintHeat(new Uint8Array(0x10000), { ...still, since, isStale }, 100, table, out, 0x0800, 0x0900)
    expect([...out.subarray(0x0800, 0x0804)]).toEqual([0x400000, 0x200000, 0xff8000, 0x000000].map(imageDataWord))
  })

  it('leaves what is outside the range alone, and reports no change where there was none', () => {
    const heat = { ...still, since: new Float64Array(0x10000).fill(-Infinity) }
    const out = new Uint32Array(0x10000)
    expect(paintHeat(new Uint8Array(0x10000).fill(1), heat, 0, table, out, 0xd000, 0xe000)).toBe(-Infinity)
    expect([out[0xcfff], out[0xd000] !== 0, out[0xdfff] !== 0, out[0xe000]]).toEqual([0, true, true, 0])
  })
})
