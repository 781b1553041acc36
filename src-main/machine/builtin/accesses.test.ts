import { describe, expect, it } from 'vitest'
import { CODE, LOOP_FOREVER, run, SEI_BANKED, STORE } from '../../../test/support/tinyRom'
import { eachBit, hasBit } from '@shared/bitmap'
import { accessesSince, coverageOf } from './accesses'
import { writeSpace } from './spaces'

function addressesIn(bits: Uint8Array = new Uint8Array()): number[] {
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
    expect([reads, writes, runs].flatMap((bits) => addressesIn(bits))).toEqual([])
  })

  it('is told since the start, or of the last seconds', () => {
    const c64 = run([...STORE(1, 0x0500)], 2, { loop })
    for (let frame = 0; frame < 10; frame++) c64.runFrame()
    const writes = (seconds: number | null) => {
      const { ram, io } = coverageOf(c64, seconds)
      return [ram, io].map((each) => addressesIn(each.writes))
    }
    expect(writes(null)).toEqual([[0x0000, 0x0001, 0x0500], [0xd020]])
    expect(writes(0.1)).toEqual([[], [0xd020]])
  })

  it('is told apart in ROM, in the chips, and in the RAM under them', () => {
    // Copies a routine to $E800 in RAM, switches ROM and I/O away, and calls it: INC $D020; RTS.
    const routine = [0xee, 0x20, 0xd0, 0x60]
    const copy = routine.flatMap((byte, at) => STORE(byte, 0xe800 + at))
    const low = [...STORE(0x34, 0x01), 0x20, 0x00, 0xe8, ...STORE(0x37, 0x01), 0x60]
    const code = [...copy, ...low.flatMap((byte, at) => STORE(byte, 0x2000 + at)), 0x20, 0x00, 0x20]
    const c64 = run([...code, ...STORE(1, 0xd021)], 2)
    const { ram, rom, io, cpu } = coverageOf(c64, null)
    const from = (start: number, bits: Uint8Array) => addressesIn(bits).filter((address) => address >= start)
    expect(from(0xd000, ram.runs)).toEqual([0xe800, 0xe801, 0xe802, 0xe803])
    expect(from(0xd000, ram.writes)).toEqual([0xd020, 0xe800, 0xe801, 0xe802, 0xe803])
    expect(addressesIn(io.writes)).toEqual([0xd021])
    expect(addressesIn(rom.writes)).toEqual([])
    expect([hasBit(rom.runs, CODE), hasBit(rom.runs, 0xe800), hasBit(cpu.runs, 0xe800)]).toEqual([true, false, false])
  })

  it('does not take for code what ran before other bytes were put in its place', () => {
    const c64 = run([...STORE(0x60, 0x2000), 0x20, 0x00, 0x20], 2)
    const ran = () => hasBit(coverageOf(c64, null).ram.runs, 0x2000)
    expect(ran()).toBe(true)
    writeSpace(c64, 'ram', 0x2000, Uint8Array.of(0x41))
    expect(ran()).toBe(false)
    c64.reset('power')
    c64.runFrame()
    c64.runFrame()
    expect(ran()).toBe(true)
    c64.reset('power')
    expect(addressesIn(coverageOf(c64, null).ram.runs)).toEqual([])
  })
})
