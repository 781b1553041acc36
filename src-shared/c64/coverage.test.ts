import { describe, expect, it } from 'vitest'
import { setBit } from '../bitmap'
import { coveredBytes, coveredPages, coveredRanges, type Coverage } from './coverage'

const bitmap = (...addresses: number[]) => {
  const bits = new Uint8Array(8192)
  for (const address of addresses) setBit(bits, address)
  return bits
}
const nothing = { run: bitmap(), read: bitmap(), written: bitmap() }
const none: Coverage = { ram: nothing, rom: nothing, io: nothing }
const inRam = (ram: Coverage['ram']): Coverage => ({ ...none, ram })

describe('coverage', () => {
  it('has ranges of bytes with which the CPU did the same', () => {
    const coverage = { run: bitmap(0x0801, 0x0802, 0x0803), read: bitmap(0x0803, 0xffff), written: bitmap(0x0000) }
    expect(coveredRanges(inRam(coverage))).toEqual([
      { space: 'ram', start: 0x0000, end: 0x0000, kinds: ['written'] },
      { space: 'ram', start: 0x0801, end: 0x0802, kinds: ['run'] },
      { space: 'ram', start: 0x0803, end: 0x0803, kinds: ['run', 'read'] },
      { space: 'ram', start: 0xffff, end: 0xffff, kinds: ['read'] },
    ])
  })

  it('is one range where everything was touched, and none where nothing was', () => {
    const all = new Uint8Array(8192).fill(0xff)
    expect(coveredRanges(inRam({ ...nothing, read: all }))).toEqual([
      { space: 'ram', start: 0, end: 0xffff, kinds: ['read'] },
    ])
    expect(coveredRanges(none)).toEqual([])
    expect(coveredPages(none)).toEqual([])
  })

  it('tells RAM, ROM and I/O at the same addresses apart', () => {
    const coverage = {
      ram: { ...nothing, written: bitmap(0xd020) },
      rom: { ...nothing, run: bitmap(0xe000) },
      io: { ...nothing, written: bitmap(0xd020, 0xd021) },
    }
    expect(coveredRanges(coverage)).toEqual([
      { space: 'ram', start: 0xd020, end: 0xd020, kinds: ['written'] },
      { space: 'io', start: 0xd020, end: 0xd021, kinds: ['written'] },
      { space: 'rom', start: 0xe000, end: 0xe000, kinds: ['run'] },
    ])
    expect(coveredBytes(coverage, 'written')).toBe(3)
  })

  it('counts the bytes of each page', () => {
    const coverage = { run: bitmap(0x08ff, 0x0900), read: bitmap(0x0900), written: bitmap() }
    expect(coveredPages(inRam(coverage))).toEqual([
      { space: 'ram', start: 0x0800, bytes: { run: 1, read: 0, written: 0 } },
      { space: 'ram', start: 0x0900, bytes: { run: 1, read: 1, written: 0 } },
    ])
    expect(coveredBytes(inRam(coverage), 'run')).toBe(2)
  })
})
