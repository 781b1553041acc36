import { describe, expect, it } from 'vitest'
import { setBit } from '../bitmap'
import { coveredBytes, coveredPages, coveredRanges, type Coverage } from './coverage'

const bitmap = (...addresses: number[]) => {
  const bits = new Uint8Array(8192)
  for (const address of addresses) setBit(bits, address)
  return bits
}
const none: Coverage = { run: bitmap(), read: bitmap(), written: bitmap() }

describe('coverage', () => {
  it('has ranges of bytes with which the CPU did the same', () => {
    const coverage = { run: bitmap(0x0801, 0x0802, 0x0803), read: bitmap(0x0803, 0xffff), written: bitmap(0x0000) }
    expect(coveredRanges(coverage)).toEqual([
      { start: 0x0000, end: 0x0000, kinds: ['written'] },
      { start: 0x0801, end: 0x0802, kinds: ['run'] },
      { start: 0x0803, end: 0x0803, kinds: ['run', 'read'] },
      { start: 0xffff, end: 0xffff, kinds: ['read'] },
    ])
  })

  it('is one range where everything was touched, and none where nothing was', () => {
    const all = new Uint8Array(8192).fill(0xff)
    expect(coveredRanges({ ...none, read: all })).toEqual([{ start: 0, end: 0xffff, kinds: ['read'] }])
    expect(coveredRanges(none)).toEqual([])
    expect(coveredPages(none)).toEqual([])
  })

  it('counts the bytes of each page', () => {
    const coverage = { run: bitmap(0x08ff, 0x0900), read: bitmap(0x0900), written: bitmap() }
    expect(coveredPages(coverage)).toEqual([
      { start: 0x0800, bytes: { run: 1, read: 0, written: 0 } },
      { start: 0x0900, bytes: { run: 1, read: 1, written: 0 } },
    ])
    expect(coveredBytes(coverage, 'run')).toBe(2)
  })
})
