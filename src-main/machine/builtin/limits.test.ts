/** What the built-in C64 does otherwise than a real one. The README beside this file names these tests, each at its limit. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { STORE, romsWith, run } from '../../../test/support/tinyRom'
import { C64 } from './c64'

const standing = (): C64 => run([])

const limits: Readonly<Record<string, () => void>> = {
  'the video bank changes from 1 to 2 at once': () => {
    const machine = run([...STORE(0x3f, 0xdd02), ...STORE(0x02, 0xdd00)])
    const before = machine.videoMemory.bank
    machine.space.write(0xdd00, 0x01)
    expect([before, machine.videoMemory.bank]).toEqual([1, 2])
  },

  'the SID reads 0 where it can only be written, and as a byte by chance from oscillator 3': () => {
    const { space } = run([...STORE(0x0f, 0xd418), ...STORE(0xff, 0xd400)])
    expect([0xd400, 0xd418, 0xd41c].map((register) => space.read(register))).toEqual([0, 0, 0])
    const read = [...STORE(0x00, 0xfb), 0xad, 0x1b, 0xd4, 0x85, 0xfc, 0xad, 0x1b, 0xd4, 0x85, 0xfd]
    const [first, again] = [run(read), run(read)].map(({ space }) => [...space.ram.subarray(0xfc, 0xfe)])
    expect(first?.[0]).not.toBe(first?.[1])
    expect(again).toEqual(first)
  },

  'the paddles read $FF': () => {
    const { space } = standing()
    expect([space.read(0xd419), space.read(0xd41a)]).toEqual([0xff, 0xff])
  },

  'nothing answers on the serial bus': () => {
    // CLK OUT and DATA OUT as they are driven; CLK IN and DATA IN (bits 6 and 7) show them inverted and nothing else.
    const levels = [0x00, 0x10, 0x20, 0x30].map((out) => {
      const { space } = run([...STORE(0x3f, 0xdd02), ...STORE(out, 0xdd00)])
      return space.read(0xdd00) >> 6
    })
    expect(levels).toEqual([3, 2, 1, 0])
  },

  'nothing is plugged into the user port': () => {
    const { space } = run(STORE(0x00, 0xdd03))
    expect(space.read(0xdd01)).toBe(0xff)
  },

  'nothing moves CNT, SP and FLAG of the CIAs': () => {
    // Timer A with a latch of 2 counts CNT, and the serial register is an input.
    for (const cia of [0xdc00, 0xdd00]) {
      const { space } = run([
        ...STORE(2, cia + 4),
        ...STORE(0, cia + 5),
        ...STORE(0xa5, cia + 0xc),
        ...STORE(0x31, cia + 0xe),
      ])
      expect([0x4, 0x5, 0xc, 0xd].map((register) => space.read(cia + register))).toEqual([2, 0, 0xa5, 0])
    }
  },

  'there is no tape: none of its keys is down': () => {
    expect(standing().space.read(0x01) & 0x10).toBe(0x10)
  },

  'there is no RAM under the port at $00 and $01': () => {
    const { space } = standing()
    expect([...space.ram.subarray(0, 2)]).toEqual([space.read(0), space.read(1)])
  },

  'RAM holds blocks of 64 bytes $00 and $FF after power-on': () => {
    const { space } = new C64(romsWith([0x4c, 0x00, 0xe0]), 'pal')
    expect([0x0800, 0x083f, 0x0840, 0x087f, 0x0880].map((address) => space.ram[address])).toEqual([0, 0, 255, 255, 0])
  },
}

describe('The built-in C64', () => {
  it.each(Object.entries(limits))('%s', (_name, show) => show())

  it('has these limits in its README, each with its test', () => {
    const readme = readFileSync(resolve(import.meta.dirname, 'README.md'), 'utf8')
    const named = [...readme.matchAll(/^ {2}- _(.+)_$/gm)].map(([, name]) => name)
    expect(named.sort()).toEqual(Object.keys(limits).sort())
  })
})
