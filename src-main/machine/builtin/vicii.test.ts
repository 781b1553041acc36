/** What the VIC-II does within a line. `builtinVic.test.ts` compares it with x64sc, pixel by pixel. */
import { describe, expect, it } from 'vitest'
import { beamIn } from '@shared/c64/beam'
import { defaultModels, type VicModel } from '@shared/contract/machine'
import { DISPLAY_X, PICTURE_WIDTH, firstRasterLine, unpackPixels } from '@shared/c64/picture'
import { STORE, WAIT_FOR_LINE, romsWith, run } from '../../../test/support/tinyRom'
import { C64 } from './c64'

const NOP = 0xea
const BLACK = 0
const RED = 2
const WHITE = 1
/** What a pixel shows whose colour register is written in the 8565. */
const GREY_DOT = 15

/** The text screen with a red background in a black border. */
const SCREEN_ON = [
  ...STORE(0x1b, 0xd011),
  ...STORE(0xc8, 0xd016),
  ...STORE(0x14, 0xd018),
  ...STORE(BLACK, 0xd020),
  ...STORE(RED, 0xd021),
]
const LINE = 0x64
/** As many cycles that a write after WAIT_FOR_LINE and this comes in the second half of the line. */
const HALF_A_LINE = Array<number>(14).fill(NOP)

/** The colours of a raster line's pixels. */
function lineOf(machine: C64, raster: number): Uint8Array {
  const y = raster - firstRasterLine('pal')
  return unpackPixels(machine.picture().pixels).subarray(y * PICTURE_WIDTH, (y + 1) * PICTURE_WIDTH)
}

const flashing = (): C64 => {
  const flash = [...WAIT_FOR_LINE(LINE), ...HALF_A_LINE, ...STORE(RED, 0xd020)]
  return run(STORE(BLACK, 0xd011), 3, {
    loop: [...flash, ...WAIT_FOR_LINE(LINE + 8), ...STORE(BLACK, 0xd020)],
  })
}

describe('within a line', () => {
  it('a colour changes where it is written', () => {
    const line = [...lineOf(flashing(), LINE)]
    const from = line.indexOf(RED)
    expect(from).toBeGreaterThan(PICTURE_WIDTH / 4)
    expect(line).toEqual(line.map((_, x) => (x >= from ? RED : x === from - 1 ? GREY_DOT : BLACK)))
  })

  it('a machine that stands has drawn up to the beam, and below it is the picture before', () => {
    const machine = run([...STORE(BLACK, 0xd011), ...STORE(BLACK, 0xd020)], 3, { loop: [NOP] })
    while (machine.rasterLine > 0) machine.step(1)
    machine.writeIo(0xd020, RED)
    while (machine.rasterLine !== LINE || machine.lineCycle < 30) machine.step(1)
    const { x } = beamIn('pal', machine.rasterLine, machine.lineCycle)
    // What is written next begins to show a pixel behind those that are drawn.
    const drawn = (x ?? 0) - 1
    expect([...lineOf(machine, LINE)].map((color) => color === RED)).toEqual(
      Array.from({ length: PICTURE_WIDTH }, (_, pixel) => pixel < drawn),
    )
    expect([lineOf(machine, LINE - 1)[383], lineOf(machine, LINE + 1)[0]]).toEqual([RED, BLACK])
  })

  it('a register that is written shows a grey dot in the 8565, and none in the 6569', () => {
    const dots = (vicModel: VicModel): number => {
      const machine = new C64(romsWith([0x78, ...STORE(WHITE, 0xd020), 0x4c, 0x01, 0xe0]), 'pal', {
        ...defaultModels,
        vicModel,
      })
      for (let frame = 0; frame < 3; frame++) machine.runFrame()
      return lineOf(machine, LINE).filter((color) => color === GREY_DOT).length
    }
    expect(dots('8565')).toBeGreaterThan(3)
    expect(dots('6569')).toBe(0)
  })

  it('the side borders open when 38 and 40 columns are chosen at the right moment', () => {
    // In turn, at every offset of a line.
    const machine = run(SCREEN_ON, 5, { loop: [...STORE(0xc0, 0xd016), ...STORE(0xc8, 0xd016)] })
    const sides = Array.from({ length: 200 }, (_, row) => lineOf(machine, 51 + row)[DISPLAY_X + 330])
    expect(new Set(sides)).toEqual(new Set([BLACK, RED]))
  })

  it('a bad line can begin late', () => {
    const machine = run(SCREEN_ON, 2, {
      loop: [...WAIT_FOR_LINE(LINE), ...HALF_A_LINE, ...STORE(0x18 | (LINE & 7), 0xd011), ...STORE(0x1b, 0xd011)],
    })
    let begun = -1
    const isThere = (): boolean => machine.rasterLine === LINE
    while (!isThere()) machine.step(1)
    while (isThere()) {
      if (begun < 0 && machine.vic.badLine) begun = machine.lineCycle
      machine.step(1)
    }
    expect(begun).toBeGreaterThan(30)
  })

  it('what the VIC-II read last floats where nothing answers', () => {
    const idle = run(STORE(0xf7, 0xd800))
    idle.space.ram.fill(0xa0, 0x3f00, 0x4000)
    // Not while it reads a sprite's pointer.
    do idle.step(1)
    while (idle.lineCycle < 12 || idle.lineCycle > 50)
    expect([idle.space.read(0xde00), idle.space.read(0xd800)]).toEqual([0xa0, 0xa7])
  })

  it('what floats is not shown, as it would seem to change all the time', () => {
    const idle = run(STORE(0xf7, 0xd800))
    idle.space.ram.fill(0xa0, 0x3f00, 0x4000)
    const shown = idle.peekIo()
    expect([shown[0x800], shown[0xe00], shown[0xfff]]).toEqual([0x07, 0xff, 0xff])
    expect(idle.peekCpu().subarray(0xd800, 0xe000)).toEqual(shown.subarray(0x800))
  })
})

describe('colours that are written from outside', () => {
  it.each([5, 30, 62])('all count, though they come in one cycle: %i', (cycle) => {
    const machine = run(SCREEN_ON, 3, { loop: [NOP] })
    while (machine.rasterLine !== LINE || machine.lineCycle < cycle) machine.step(1)
    const colors = { 0x20: 4, 0x21: 5, 0x22: 6, 0x2e: 7 }
    for (const [register, color] of Object.entries(colors)) machine.writeIo(0xd000 + Number(register), color)
    for (let frames = 0; frames < 2; frames++) machine.runFrame()
    const { palette } = machine.vic.save().pixels
    expect(Object.keys(colors).map((register) => palette[Number(register)])).toEqual(Object.values(colors))
    expect(lineOf(machine, LINE)[0]).toBe(4)
  })
})

describe('a state saved within a line', () => {
  it('goes on to the same picture, pixel by pixel', () => {
    const machine = flashing()
    while (machine.rasterLine !== LINE || machine.lineCycle < 30) machine.step(1)
    const copy = new C64(romsWith([NOP]), 'pal')
    machine.space.rom.subarray(0xe000).forEach((byte, offset) => (copy.space.rom[0xe000 + offset] = byte))
    copy.restore(machine.save())
    for (const one of [machine, copy]) one.runFrame()
    expect(lineOf(copy, LINE + 1)).toEqual(lineOf(machine, LINE + 1))
    for (const one of [machine, copy]) one.runFrame()
    expect(copy.picture()).toEqual(machine.picture())
    expect(copy.save()).toEqual(machine.save())
  })
})

describe('an interrupt of the VIC-II', () => {
  const INTERRUPTS = [...STORE(LINE, 0xd012), ...STORE(0x01, 0xd01a)]

  it('is seen by the CPU to the end of the cycle that acknowledges it', () => {
    const machine = run(INTERRUPTS)
    expect([machine.vic.asserted, machine.raster.seenLow]).toEqual([true, true])
    machine.raster.write(0x19, 0x01)
    expect([machine.vic.asserted, machine.raster.seenLow]).toEqual([false, true])
    machine.step(1)
    expect(machine.raster.seenLow).toBe(false)
  })

  it('is taken as often where lines are put off, by a program that acknowledges it at any time', () => {
    const [CLI, INC_D019] = [0x58, [0xee, 0x19, 0xd0]]
    const irq = [0xe6, 0x02, ...STORE(0x01, 0xd019), 0x40]
    const [fast, exact] = [0, 0].map(() => run([...INTERRUPTS, CLI], 0, { loop: INC_D019, irq }))
    if (!fast || !exact) throw new Error('There are two machines.')
    exact.vic.putOff = () => undefined
    for (const machine of [fast, exact]) machine.runTo(40 * 19_656)
    expect(fast.save()).toEqual(exact.save())
    expect(fast.space.ram[0x02]).toBeGreaterThan(10)
  })
})

describe('the light pen', () => {
  const place = (machine: C64): number[] => [0xd013, 0xd014].map((register) => machine.peekChip(register))

  it('latches where the beam is when the fire button of port 1 goes down, once a frame, and interrupts', () => {
    const machine = run([])
    while (machine.rasterLine !== LINE) machine.step(1)
    machine.input.setJoystick(1, ['fire'])
    machine.step(2)
    const [x, y] = place(machine)
    expect(y).toBe(LINE)
    expect(x).toBeGreaterThan(0)
    expect(machine.peekChip(0xd019) & 0x08).toBe(0x08)
    machine.input.setJoystick(1, [])
    while (machine.rasterLine !== LINE + 20) machine.step(1)
    machine.input.setJoystick(1, ['fire'])
    machine.step(2)
    expect(place(machine)).toEqual([x, y])
  })

  it('latches line 0 in each frame that begins with its line low, also by port B of CIA 1', () => {
    const machine = run([...STORE(0x10, 0xdc03), ...STORE(0x00, 0xdc01)], 3)
    expect(place(machine)).toEqual([0xd1, 0])
  })

  it('is released with a state that was saved while the button was held', () => {
    const machine = run([])
    machine.input.setJoystick(1, ['fire'])
    const copy = run([])
    copy.restore(machine.save())
    expect([machine.vic.penLow, copy.vic.penLow]).toEqual([true, false])
  })
})
