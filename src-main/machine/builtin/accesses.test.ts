import { describe, expect, it } from 'vitest'
import { CODE, LOOP_FOREVER, run, SEI_BANKED, STORE } from '../../../test/support/tinyRom'
import { eachBit } from '@shared/bitmap'
import { accessesSince, coverageOf } from './accesses'

function addressesIn(bits: Uint8Array): number[] {
  const addresses: number[] = []
  eachBit(bits, (address) => addresses.push(address))
  return addresses
}

const LOAD_0400 = [0xad, 0x00, 0x04]

describe('what the CPU touched', () => {
  const start = CODE + SEI_BANKED.length
  const loop = [...LOAD_0400, ...STORE(5, 0xd020)]

  it('has instructions with their operands, reads and writes apart, and the chips where the CPU sees them', () => {
    const c64 = run([], 2, { loop })
    const since = c64.clock
    c64.runFrame()
    const { reads, writes, runs } = accessesSince(c64, since)
    const length = loop.length + LOOP_FOREVER(0).length
    expect(addressesIn(runs)).toEqual(Array.from({ length }, (_, offset) => start + offset))
    expect(addressesIn(reads)).toEqual([0x0400])
    expect(addressesIn(writes)).toEqual([0xd020])
  })

  it('is nothing of before the clock', () => {
    const c64 = run([], 2, { loop })
    const { reads, writes, runs } = accessesSince(c64, c64.clock + 1)
    expect([reads, writes, runs].flatMap(addressesIn)).toEqual([])
  })

  it('is told since the start, or of the last seconds', () => {
    const c64 = run([...STORE(1, 0x0500)], 2, { loop })
    for (let frame = 0; frame < 10; frame++) c64.runFrame()
    expect(addressesIn(coverageOf(c64, null).writes)).toEqual([0x0000, 0x0001, 0x0500, 0xd020])
    expect(addressesIn(coverageOf(c64, 0.1).writes)).toEqual([0xd020])
  })
})
