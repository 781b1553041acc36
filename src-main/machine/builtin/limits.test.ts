/** What the built-in C64 does otherwise than a real one. The README beside this file names these tests, each at its limit. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DISPLAY_X, PICTURE_WIDTH, firstRasterLine, unpackPixels } from '@shared/c64/picture'
import { STORE, WAIT_FOR_LINE, romsWith, run } from '../../../test/support/tinyRom'
import { C64 } from './c64'

const NOP = 0xea
const BLACK = 0
const RED = 2

/** The text screen with a red background in a black border. */
const SCREEN_ON = [
  ...[...STORE(0x1b, 0xd011), ...STORE(0xc8, 0xd016), ...STORE(0x14, 0xd018)],
  ...[...STORE(BLACK, 0xd020), ...STORE(RED, 0xd021)],
]
const LINE = 0x64
/** As many cycles that a write after WAIT_FOR_LINE and this comes in the second half of the line. */
const HALF_A_LINE = Array<number>(14).fill(NOP)

/** The colours of a raster line's pixels. */
function lineOf(machine: C64, raster: number): Uint8Array {
  const y = raster - firstRasterLine('pal')
  return unpackPixels(machine.picture().pixels).subarray(y * PICTURE_WIDTH, (y + 1) * PICTURE_WIDTH)
}
const coloursIn = (pixels: Uint8Array): number[] => [...new Set(pixels)].sort((a, b) => a - b)

const standing = (): C64 => run([])

const limits: Readonly<Record<string, () => void>> = {
  'a colour that changes within a line changes with the next one': () => {
    const flash = [...WAIT_FOR_LINE(LINE), ...HALF_A_LINE, ...STORE(RED, 0xd020)]
    const machine = run(STORE(BLACK, 0xd011), 3, {
      loop: [...flash, ...WAIT_FOR_LINE(LINE + 8), ...STORE(BLACK, 0xd020)],
    })
    expect([LINE, LINE + 1].map((raster) => coloursIn(lineOf(machine, raster)))).toEqual([[BLACK], [RED]])
  },

  'the side borders stay closed': () => {
    // 38 and 40 columns in turn, at every offset of a line: on a real C64 some of the writes open a border.
    const machine = run(SCREEN_ON, 5, { loop: [...STORE(0xc0, 0xd016), ...STORE(0xc8, 0xd016)] })
    for (let raster = 51; raster < 251; raster++) {
      const line = lineOf(machine, raster)
      expect(coloursIn(line.subarray(0, DISPLAY_X))).toEqual([BLACK])
      expect(coloursIn(line.subarray(DISPLAY_X + 320))).toEqual([BLACK])
    }
  },

  'a line becomes no bad line after its cycle 11': () => {
    const machine = run(SCREEN_ON, 2, {
      loop: [...WAIT_FOR_LINE(LINE), ...HALF_A_LINE, ...STORE(0x18 | (LINE & 7), 0xd011), ...STORE(0x1b, 0xd011)],
    })
    let written = false
    const isThere = () => machine.rasterLine === LINE
    while (!isThere()) machine.step(1)
    while (isThere()) {
      written ||= (machine.vic.read(0x11) & 7) === (LINE & 7)
      expect(machine.vic.badLine).toBe(false)
      machine.step(1)
    }
    expect(written).toBe(true)
  },

  'there is no light pen': () => {
    const { space } = standing()
    expect([space.read(0xd013), space.read(0xd014)]).toEqual([0, 0])
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

  'nothing is plugged into the cartridge port: $DE00 to $DFFF read $FF': () => {
    const { space } = run(STORE(0x11, 0xde00))
    expect([0xde00, 0xdeff, 0xdf00, 0xdfff].map((address) => space.read(address))).toEqual([0xff, 0xff, 0xff, 0xff])
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

  'the high nibbles of colour RAM read 0': () => {
    const { space } = run(STORE(0xf7, 0xd800))
    expect(space.read(0xd800)).toBe(0x07)
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
