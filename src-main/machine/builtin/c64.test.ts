import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { C64, framePeriod, timings } from './c64'
import type { Roms } from './pla'
import { decodeState, encodeState } from './state'
import { CODE, LOOP_FOREVER, SEI_BANKED, STORE, romsWith, run } from '../../../test/support/tinyRom'

const hash = (machine: C64, roms: Roms): string =>
  createHash('sha256').update(encodeState(machine.save(), roms)).digest('hex')

describe('the address space', () => {
  it.each([
    [0x37, 0xba, 'io', 'kernal'],
    [0x36, 0x11, 'io', 'kernal'],
    [0x35, 0x11, 'io', 'ram'],
    [0x34, 0x11, 'ram', 'ram'],
    [0x33, 0xba, 'characters', 'kernal'],
    [0x32, 0x11, 'characters', 'kernal'],
    [0x31, 0x11, 'characters', 'ram'],
    [0x30, 0x11, 'ram', 'ram'],
  ])('$01 = %i switches BASIC, I/O and KERNAL as the PLA does', (port, basic, d, e) => {
    const { space } = new C64(romsWith([0xea]), 'pal')
    space.ram.fill(0x11, 0xa000)
    space.write(1, port)
    space.write(0, 0x2f)
    expect(space.read(0xa000)).toBe(basic)
    // $D021 reads as a VIC-II register: its high nibble is not there.
    expect(space.read(0xd021)).toBe({ io: 0xf0, characters: 0xcc, ram: 0x11 }[d])
    expect(space.read(0xe000)).toBe({ kernal: 0xea, ram: 0x11 }[e])
    expect(space.read(1)).toBe(port)
  })

  it('writes the RAM under the ROMs', () => {
    const { space } = new C64(romsWith([0xea]), 'pal')
    space.write(0xe000, 0x42)
    space.write(0xa000, 0x43)
    expect([space.ram[0xe000], space.ram[0xa000], space.read(0xe000)]).toEqual([0x42, 0x43, 0xea])
  })

  it('after reset all port pins are inputs, pulled so that the ROMs are seen', () => {
    const { space } = new C64(romsWith([0xea]), 'pal')
    expect([space.read(0), space.read(1), space.read(0xe000)]).toEqual([0x00, 0x17, 0xea])
  })

  it('an input pin of the port reads its level, an output pin what was written', () => {
    const { space } = new C64(romsWith([0xea]), 'pal')
    space.write(0, 0xff)
    space.write(1, 0x00)
    expect(space.read(1)).toBe(0x00)
    space.write(0, 0x00)
    expect(space.read(1)).toBe(0x17)
  })

  it('mirrors the chips over their pages, and colour RAM has nibbles', () => {
    const { space } = new C64(romsWith([0xea]), 'pal')
    space.write(0xd3e0, 0x05)
    space.write(0xd800, 0xff)
    expect([space.read(0xd020), space.read(0xd0a0), space.read(0xd800) & 0x0f]).toEqual([0xf5, 0xf5, 0x0f])
    space.write(0xdcf2, 0x77)
    expect(space.read(0xdc02)).toBe(0x77)
  })
})

describe('the clock', () => {
  it('a frame has 63 x 312 cycles in PAL and 65 x 263 in NTSC, give or take the instruction at its end', () => {
    for (const [standard, cycles] of [
      ['pal', 19_656],
      ['ntsc', 17_095],
    ] as const) {
      const machine = new C64(romsWith([0x4c, 0x00, 0xe0]), standard)
      machine.runFrame()
      const start = machine.clock
      for (let frame = 0; frame < 100; frame++) machine.runFrame()
      expect(Math.abs(machine.clock - start - 100 * cycles)).toBeLessThan(8)
      expect(framePeriod(standard)).toBeCloseTo((1000 * cycles) / timings[standard].clockRate, 9)
    }
  })

  /** How often a loop with $02/$03 as its counter runs in ten frames. */
  function loops(setup: readonly number[]): number {
    const before = [...SEI_BANKED, ...setup]
    const loop = CODE + before.length
    const machine = new C64(romsWith([...before, 0xe6, 0x02, 0xd0, 0xfc, 0xe6, 0x03, ...LOOP_FOREVER(loop)]), 'pal')
    for (let frame = 0; frame < 3; frame++) machine.runFrame()
    const count = () => (machine.space.ram[2] ?? 0) | ((machine.space.ram[3] ?? 0) << 8)
    const start = count()
    for (let frame = 0; frame < 10; frame++) machine.runFrame()
    return (count() - start) & 0xffff
  }

  it('bad lines take 25 x 43 cycles of a frame, and sprites two for each line and three to stop the CPU', () => {
    const free = loops(STORE(0x00, 0xd011))
    const text = loops(STORE(0x1b, 0xd011))
    const sprite = loops([...STORE(0x00, 0xd011), ...STORE(0x01, 0xd015)])
    expect(text / free).toBeCloseTo((19_656 - 25 * 43) / 19_656, 2)
    expect(sprite / free).toBeCloseTo((19_656 - 2 * 21 * 5) / 19_656, 2)
  })
})

describe('the raster', () => {
  it('interrupts at its line, once a frame, and is acknowledged by a read-modify-write as on the real chip', () => {
    const setup = [...STORE(0x7f, 0xdc0d), ...STORE(0x1b, 0xd011), ...STORE(0x64, 0xd012), ...STORE(0x01, 0xd01a), 0x58]
    // The handler: INC $D019 writes the old value back first, which clears the latch. Count in $02, keep $D012 in $03.
    const irq = [0xee, 0x19, 0xd0, 0xe6, 0x02, 0xad, 0x12, 0xd0, 0x85, 0x03, 0x40]
    const machine = run(setup, 1, { irq })
    const before = machine.space.ram[2] ?? 0
    for (let frame = 0; frame < 10; frame++) machine.runFrame()
    expect((machine.space.ram[2] ?? 0) - before).toBe(10)
    expect(machine.space.ram[3]).toBe(0x64)
  })

  it('has bit 8 in $D011', () => {
    // Wait for bit 7 of $D011, then keep the largest value of $D012 while it is set: 311 is $137.
    const machine = run(
      [
        0xa2, 0, 0x2c, 0x11, 0xd0, 0x10, 0xfb, 0xad, 0x12, 0xd0, 0xc5, 2, 0x90, 2, 0x85, 2, 0x2c, 0x11, 0xd0, 0x30,
        0xf2,
      ],
      3,
    )
    expect(machine.space.ram[2]).toBe(0x37)
  })

  it('splits the picture where the program changes the background', () => {
    const wait = (line: number) => [0xa9, line, 0xcd, 0x12, 0xd0, 0xd0, 0xfb]
    const start = [
      ...SEI_BANKED,
      ...STORE(0x1b, 0xd011),
      ...STORE(0x08, 0xd016),
      ...STORE(0x14, 0xd018),
      ...STORE(0, 0xd020),
    ]
    const loop = [...wait(100), ...STORE(2, 0xd021), ...wait(150), ...STORE(5, 0xd021)]
    const machine = new C64(
      { ...romsWith([...start, ...loop, ...LOOP_FOREVER(CODE + start.length)]), character: new Uint8Array(0x1000) },
      'pal',
    )
    for (let frame = 0; frame < 3; frame++) machine.runFrame()
    const { pixels } = machine.picture()
    const colorAt = (raster: number) => (pixels[(raster - 16) * 192 + 96] ?? 0) & 0x0f
    expect([99, 101, 149, 151].map(colorAt)).toEqual([5, 2, 2, 5])
  })
})

describe('an interrupt line that an access lets go of', () => {
  /** CLI, then an instruction that reads $DC0D before its end; the handler keeps where it came from in $02. */
  const takenAfter = (instruction: readonly number[]) => {
    const timer = [...STORE(0x81, 0xdc0d), ...STORE(0x05, 0xdc04), ...STORE(0x00, 0xdc05), ...STORE(0x19, 0xdc0e)]
    const wait = Array.from({ length: 20 }, () => 0xea)
    const irq = [0x68, 0x68, 0x85, 0x02, ...STORE(0x7f, 0xdc0d), ...LOOP_FOREVER(0xe209)]
    const machine = run([0xa2, 0x00, ...timer, ...wait, 0x58, ...instruction], 1, { irq, loop: [0xea, 0xea] })
    return machine.space.ram[2] !== 0
  }

  it('was seen by the CPU in that cycle', () => {
    // STA $DC0D,X reads in its last cycle but one, INC $DC0D two cycles earlier.
    expect(takenAfter([0x9d, 0x0d, 0xdc])).toBe(true)
    expect(takenAfter([0xee, 0x0d, 0xdc])).toBe(false)
  })
})

describe('collisions', () => {
  const twoSprites = [
    ...STORE(0x1b, 0xd011),
    ...STORE(0x14, 0xd018),
    ...STORE(0x0d, 0x07f8),
    ...STORE(0x0d, 0x07f9),
    ...STORE(0xff, 0x0340),
    ...STORE(100, 0xd000),
    ...STORE(100, 0xd001),
    ...STORE(104, 0xd002),
    ...STORE(100, 0xd003),
    ...STORE(0x03, 0xd015),
  ]

  it('are read once, and looking does not clear them', () => {
    const machine = run(twoSprites, 3)
    expect(machine.peekIo()[0x1e]).toBe(3)
    expect(machine.space.peek(0xd01e)).toBe(3)
    expect(machine.space.read(0xd01e)).toBe(3)
    machine.step(1)
    expect(machine.space.read(0xd01e)).toBe(0)
  })

  it('interrupt once until they are read', () => {
    const machine = run([...STORE(0x7f, 0xdc0d), ...twoSprites, ...STORE(0x04, 0xd01a), 0x58], 4, {
      irq: [0xee, 0x19, 0xd0, 0xe6, 0x02, 0x40],
    })
    const count = machine.space.ram[2]
    machine.runFrame()
    expect(machine.space.ram[2]).toBe(count)
    machine.space.read(0xd01e)
    machine.runFrame()
    expect(machine.space.ram[2]).toBe(((count ?? 0) + 1) & 0xff)
  })
})

describe('input', () => {
  it('a key pulls its row low while its column is selected, and the other way round', () => {
    const machine = run([...STORE(0xff, 0xdc02), ...STORE(0xfd, 0xdc00)])
    machine.input.setKeys(['a'])
    expect(machine.space.read(0xdc01)).toBe(0xfb)
    machine.space.write(0xdc00, 0xfe)
    expect(machine.space.read(0xdc01)).toBe(0xff)
    machine.space.write(0xdc02, 0x00)
    machine.space.write(0xdc03, 0xff)
    machine.space.write(0xdc01, 0xfb)
    expect(machine.space.read(0xdc00)).toBe(0xfd)
    machine.input.setKeys([])
    for (let frame = 0; frame < 3; frame++) machine.runFrame()
    expect(machine.space.read(0xdc00)).toBe(0xff)
  })

  it('keys that are pressed and let go within a frame are each down for two, one after the other', () => {
    const machine = run([...STORE(0xff, 0xdc02), ...STORE(0xfd, 0xdc00)])
    for (const keys of [['a'], [], ['a'], ['s']] as const) machine.input.setKeys(keys)
    const seen = Array.from({ length: 8 }, () => {
      const rows = machine.space.read(0xdc01)
      machine.runFrame()
      return rows
    })
    expect(seen).toEqual([0xfb, 0xfb, 0xff, 0xff, 0xfb, 0xfb, 0xdf, 0xdf])
  })

  it('of more changes than it can keep, the last one holds in the end', () => {
    const machine = run([...STORE(0xff, 0xdc02), ...STORE(0xfd, 0xdc00)])
    for (let press = 0; press < 500; press++) machine.input.setKeys(press % 2 === 0 ? ['a'] : ['s'])
    for (let frame = 0; frame < 300; frame++) machine.runFrame()
    expect(machine.space.read(0xdc01)).toBe(0xdf)
  })

  it('joystick 2 is on port A and joystick 1 on port B', () => {
    const machine = run([])
    machine.input.setJoystick(2, ['up', 'fire'])
    machine.input.setJoystick(1, ['right'])
    expect([machine.space.read(0xdc00) & 0x1f, machine.space.read(0xdc01) & 0x1f]).toEqual([0x0e, 0x17])
  })

  it('RESTORE interrupts once each time it goes down', () => {
    const machine = run([], 1, { nmi: [0xe6, 0x02, 0x40] })
    const before = machine.space.ram[2] ?? 0
    machine.input.setKeys(['restore'])
    machine.runFrame()
    machine.runFrame()
    machine.input.setKeys([])
    machine.input.setKeys(['restore'])
    for (let frame = 0; frame < 3; frame++) machine.runFrame()
    expect((machine.space.ram[2] ?? 0) - before).toBe(2)
  })

  it('types through the KERNAL’s buffer, ten at a time, as it is drained', () => {
    const machine = run([...STORE(0, 0xc6)])
    machine.input.type(Array.from('HELLO, WORLD', (character) => character.charCodeAt(0)))
    expect([machine.space.ram[0xc6], machine.input.typing.length]).toEqual([10, 2])
    expect(String.fromCharCode(...machine.space.ram.subarray(0x277, 0x281))).toBe('HELLO, WOR')
    machine.runFrame()
    expect(machine.input.typing.length).toBe(2)
    machine.space.ram[0xc6] = 0
    machine.runFrame()
    expect([machine.space.ram[0xc6], machine.input.typing.length]).toEqual([2, 0])
  })

  it('types a text only after the machine could see the keys that were pressed before it', () => {
    const machine = run([...STORE(0, 0xc6)])
    machine.input.setKeys(['return'])
    machine.input.setKeys([])
    machine.input.type([0x41])
    const typed = Array.from({ length: 5 }, () => {
      const count = machine.space.ram[0xc6]
      machine.runFrame()
      return count
    })
    // Two frames down, two frames up.
    expect(typed).toEqual([0, 0, 0, 0, 1])
  })

  it('types a text while a key is held', () => {
    const machine = run([...STORE(0, 0xc6)])
    machine.input.setKeys(['left_shift'])
    machine.input.type([0x41])
    machine.runFrame()
    machine.runFrame()
    expect(machine.space.ram[0xc6]).toBe(1)
  })
})

describe('stepping', () => {
  it('runs one instruction, or some', () => {
    const code = [...SEI_BANKED, 0xa2, 0xff, 0x9a, 0x20, 0x50, 0xe0, 0xea]
    const roms = romsWith([...code, ...Array<number>(0x50 - code.length).fill(0xea), 0xa9, 0x01, 0x60])
    const machine = new C64(roms, 'pal')
    const pc = () => machine.cpu.pc
    expect(pc()).toBe(CODE)
    machine.step(7)
    const call = pc()
    expect(call).toBe(CODE + SEI_BANKED.length + 3)
    machine.step(1)
    expect(pc()).toBe(0xe050)
    machine.step(2)
    expect(pc()).toBe(call + 3)
  })

  it('stops at an opcode that jams a 6510, and says which', () => {
    const machine = run([0x02], 1)
    const address = CODE + SEI_BANKED.length
    expect(machine.jam).toBe(
      `The CPU stopped at $${address.toString(16).toUpperCase()}: opcode $02 (JAM) halts a 6510.`,
    )
    expect(machine.cpu.pc).toBe(address)
    machine.step(1)
    expect(machine.cpu.pc).toBe(address)
    machine.reset('soft')
    expect(machine.jam).toBeNull()
  })
})

describe('a saved state', () => {
  /** Two interrupt sources, sprites and a busy CPU. */
  const busy = [
    ...STORE(0x1b, 0xd011),
    ...STORE(0x40, 0xd012),
    ...STORE(0x01, 0xd01a),
    ...STORE(0xff, 0xd015),
    ...STORE(0x81, 0xdc0d),
    ...STORE(0x34, 0xdc04),
    ...STORE(0x02, 0xdc05),
    ...STORE(0x11, 0xdc0e),
    ...STORE(0x81, 0xdd0d),
    ...STORE(0x77, 0xdd04),
    ...STORE(0x03, 0xdd05),
    ...STORE(0x11, 0xdd0e),
    ...STORE(0x00, 0xdc08),
    0x58,
  ]
  const count = [0xee, 0x20, 0xd0, 0xee, 0x00, 0x04, 0xad, 0x1b, 0xd4, 0x8d, 0x01, 0x04]
  const all = [...SEI_BANKED, ...busy]
  const loop = [...count, ...LOOP_FOREVER(CODE + all.length)]
  const roms = romsWith(
    [...all, ...loop],
    [0xee, 0x00, 0xd0, 0x2c, 0x0d, 0xdd, 0x40],
    [0xee, 0x19, 0xd0, 0xee, 0x01, 0xd0, 0x2c, 0x0d, 0xdc, 0x40],
  )
  let machine: C64
  beforeEach(() => {
    machine = new C64(roms, 'pal')
    for (let frame = 0; frame < 5; frame++) machine.runFrame()
  })

  it('is the same after the same input', () => {
    const again = new C64(roms, 'pal')
    for (let frame = 0; frame < 5; frame++) again.runFrame()
    expect(hash(again, roms)).toBe(hash(machine, roms))
    again.input.setKeys(['a'])
    again.space.write(0xdc03, 0x55)
    expect(hash(again, roms)).not.toBe(hash(machine, roms))
  })

  it('goes on exactly as the machine it was saved from, from any instruction', () => {
    for (let instruction = 0; instruction < 300; instruction += 7) {
      machine.step(7)
      const copy = new C64(roms, 'pal')
      copy.restore(decodeState(encodeState(machine.save(), roms), roms))
      expect(hash(copy, roms)).toBe(hash(machine, roms))
      const original = machine.save()
      copy.runFrame()
      machine.runFrame()
      expect(hash(copy, roms)).toBe(hash(machine, roms))
      machine.restore(original)
    }
  })

  it('has the picture of its memory before the next frame is drawn', () => {
    const quiet = run([...STORE(0x1b, 0xd011), ...STORE(0x07, 0xd020)], 3)
    const copy = new C64(romsWith([0xea]), 'pal')
    copy.restore(quiet.save())
    expect(copy.picture().pixels[0]).toBe(0x77)
  })

  it('is refused when its clock is beyond what can be counted on by one, which would never end a frame', () => {
    const image = machine.save()
    const { chips } = image
    const shift = 2 ** 53 - 1_000 - chips.clock
    for (const cia of [chips.cia1, chips.cia2]) {
      cia.now += shift
      cia.timeOfDay.nextPeriod += shift
    }
    const late = { ...image, chips: { ...chips, clock: chips.clock + shift } }
    expect(() => decodeState(encodeState(late, roms), roms)).toThrow('damaged')
  })

  it('is refused when it is not one, of another version, damaged, or of other ROMs', () => {
    const bytes = encodeState(machine.save(), roms)
    const changed = (index: number) => bytes.with(index, (bytes[index] ?? 0) ^ 1)
    expect(() => decodeState(bytes.subarray(0, 5), roms)).toThrow('not a saved state')
    expect(() => decodeState(changed(0), roms)).toThrow('not a saved state')
    expect(() => decodeState(changed(9), roms)).toThrow('has version 259')
    expect(() => decodeState(bytes.subarray(0, bytes.length - 1), roms)).toThrow('damaged')
    expect(() => decodeState(changed(bytes.length - 1), roms)).toThrow('damaged')
    expect(() => decodeState(changed(60), roms)).toThrow('damaged')
    expect(() => decodeState(bytes, romsWith([0xea]))).toThrow('other ROMs')
  })
})
