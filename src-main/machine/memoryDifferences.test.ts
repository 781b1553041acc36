import { describe, expect, it } from 'vitest'
import type { SpaceImage } from '@shared/c64/memoryImage'
import type { Space } from '@shared/contract/memory'
import { differencesBetween, type MemoryContent } from './memoryDifferences'

const image = (
  space: Space,
  address: number,
  bytes: readonly number[],
  more: Partial<SpaceImage> = {},
): SpaceImage => ({
  space,
  address,
  bytes: Uint8Array.from(bytes),
  skipped: [],
  ...more,
})
const whole = (space: Space, changes: Readonly<Record<number, number>> = {}) => {
  const bytes = new Array<number>(0x10000).fill(0)
  for (const [address, value] of Object.entries(changes)) bytes[Number(address)] = value
  return image(space, 0, bytes)
}
const content = (...images: SpaceImage[]): MemoryContent => ({ images, registers: [] })
const between = (
  before: MemoryContent,
  after: MemoryContent,
  within: readonly { address: number; length: number }[] = [],
  limit = 100,
) => differencesBetween(before, after, within, limit)
const places = (...given: Parameters<typeof between>) =>
  between(...given).differences.map(({ space, address, length }) => [space, address, length])

describe('two images of memory', () => {
  it('differ in ranges, with the bytes of both', () => {
    const after = whole('ram', { 0x0400: 1, 0x0401: 2, 0xc000: 3 })
    expect(between(content(whole('ram')), content(after))).toEqual({
      differences: [
        { space: 'ram', address: 0x0400, length: 2, before: Uint8Array.of(0, 0), after: Uint8Array.of(1, 2) },
        { space: 'ram', address: 0xc000, length: 1, before: Uint8Array.of(0), after: Uint8Array.of(3) },
      ],
      ranges: 2,
      bytes: 3,
      unread: 0,
      registers: [],
    })
  })

  it('are compared by RAM where both have it, and else by what the CPU sees, without the chips', () => {
    const chips = { 0xd012: 7, 0xc000: 1 }
    expect(places(content(whole('ram'), whole('cpu')), content(whole('ram'), whole('cpu', chips)))).toEqual([])
    expect(places(content(whole('ram'), whole('cpu')), content(whole('cpu', chips)))).toEqual([['cpu', 0xc000, 1]])
  })

  it('differ in colour RAM by the four bits that are connected', () => {
    const before = content(whole('ram'), image('colorRam', 0xd800, [0xf1, 0x02]))
    const after = content(whole('ram'), image('colorRam', 0xd800, [0x01, 0x03]))
    expect(places(before, after)).toEqual([['colorRam', 0xd801, 1]])
  })

  it('are compared where both have bytes, and only within what is asked for', () => {
    const program = image('ram', 0x1000, [1, 2, 3, 4])
    expect(places(content(program), content(whole('ram', { 0x1000: 1, 0x1002: 9 })))).toEqual([['ram', 0x1001, 3]])
    const within = [
      { address: 0x1003, length: 1 },
      { address: 0x1001, length: 1 },
    ]
    expect(places(content(program), content(whole('ram')), within)).toEqual([
      ['ram', 0x1001, 1],
      ['ram', 0x1003, 1],
    ])
  })

  it('say of what was not read that it was not compared', () => {
    const holed = image('ram', 0x1000, [1, 0], { skipped: [{ address: 0x1001, length: 1 }] })
    const found = between(content(holed), content(whole('ram', { 0x1000: 1, 0x1001: 5 })))
    expect(found).toMatchObject({ bytes: 0, unread: 1 })
  })

  it('are counted whole where only some are listed', () => {
    const after = whole('ram', { 1: 1, 3: 1, 5: 1 })
    expect(between(content(whole('ram')), content(after), [], 2)).toMatchObject({ ranges: 3, bytes: 3 })
    expect(places(content(whole('ram')), content(after), [], 2)).toHaveLength(2)
  })

  it('tell the registers that changed', () => {
    const register = (name: string, value: number) => ({ name, value, bits: 8 })
    const before = { images: [whole('ram')], registers: [register('A', 1), register('X', 2), register('Q', 3)] }
    const after = { images: [whole('ram')], registers: [register('A', 9), register('X', 2)] }
    expect(between(before, after).registers).toEqual([{ name: 'A', before: 1, after: 9 }])
  })

  it('have nothing to compare where they have no address in common', () => {
    const [low, high] = [image('ram', 0x1000, [1]), image('ram', 0x2000, [1])]
    expect(() => between(content(low), content(high))).toThrow('no memory in common')
    expect(() => between(content(low), content(whole('cpu')))).toThrow('no memory in common')
  })
})
