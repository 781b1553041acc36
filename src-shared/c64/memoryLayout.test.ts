import { describe, expect, it } from 'vitest'
import { memoryLayout } from './memoryLayout'

/** As after power-on, with a program in BASIC. */
function machine() {
  const ram = new Uint8Array(0x10000)
  ram.set([0x2f, 0x37])
  ram.set([0x01, 0x08, 0x20, 0x08, 0x2e, 0x08, 0x2e, 0x08, 0xf0, 0x9f, 0x00, 0x00, 0x00, 0xa0], 0x2b)
  const io = new Uint8Array(0x1000).fill(0xff)
  io.set([0x1b], 0x11)
  io.set([0x00], 0x15)
  io.set([0xc8], 0x16)
  io.set([0x15], 0x18)
  io.set([0xc7], 0xd00)
  return { ram, io }
}
const none = { programs: [], segments: [] }
const partsOf = ({ ram, io }: ReturnType<typeof machine>) =>
  Object.fromEntries(
    memoryLayout({ ram, io, isHidden: false }, none).map(({ name, start, end }) => [name, [start, end]]),
  )

describe('the layout of memory', () => {
  it('has the program, its variables and strings, the screen, ROM and I/O after power-on', () => {
    expect(partsOf(machine())).toMatchObject({
      Stack: [0x100, 0x1ff],
      'BASIC program': [0x801, 0x81f],
      'BASIC variables': [0x820, 0x82d],
      'BASIC strings': [0x9ff0, 0x9fff],
      Screen: [0x400, 0x7e7],
      'BASIC ROM': [0xa000, 0xbfff],
    })
    expect(partsOf(machine())).not.toHaveProperty('Characters')
  })

  it('follows the VIC-II to another bank, with a bitmap and the sprites that are on', () => {
    const { ram, io } = machine()
    io[0xd00] = 0xc6 // bank 1
    io[0x11] = 0x3b
    io[0x18] = 0x79
    io[0x15] = 0x05
    ram.set([0x40, 0, 0x41], 0x5ff8)
    expect(partsOf({ ram, io })).toMatchObject({
      'Bitmap colours': [0x5c00, 0x5fe7],
      Bitmap: [0x6000, 0x7f3f],
      'Sprite 0': [0x5000, 0x503e],
      'Sprite 2': [0x5040, 0x507e],
    })
    expect(partsOf({ ram, io })).not.toHaveProperty('Sprite 1')
  })

  it('says nothing of BASIC where its pointers were overwritten, nor of the VIC-II where it is not seen', () => {
    const { ram, io } = machine()
    ram.set([0xff, 0xff], 0x2d)
    expect(Object.keys(partsOf({ ram, io })).filter((name) => name.startsWith('BASIC '))).toEqual(['BASIC ROM'])
    expect(partsOf({ ram, io: new Uint8Array(0x1000) })).not.toHaveProperty('Screen')
  })

  it('shows RAM where the program banked the ROM out', () => {
    const { ram, io } = machine()
    ram[1] = 0x34
    expect(Object.keys(partsOf({ ram, io }))).toEqual(expect.arrayContaining(['RAM at $A000', 'RAM at $D000']))
  })

  it('has what was loaded, whether memory still holds it, and the segments of its debug file', () => {
    const { ram, io } = machine()
    ram.set([1, 2, 9], 0xc000)
    const program = { name: 'game.prg', start: 0xc000, bytes: Uint8Array.of(1, 2, 3) }
    const segments = [{ name: 'CODE', start: 0xc000, end: 0xc002, file: 'game.dbg' }]
    const layout = memoryLayout({ ram, io, isHidden: false }, { programs: [program], segments })
    expect(layout.filter(({ start }) => start === 0xc000)).toMatchObject([
      { name: 'Upper RAM' },
      { name: 'game.prg', start: 0xc000, end: 0xc002, changed: 1, why: 'loaded, 1 of 3 changed since' },
      { name: 'CODE', start: 0xc000, end: 0xc001, why: 'segment in game.dbg' },
    ])
  })

  it('does not compare what lies under ROM where only the CPU’s memory is seen', () => {
    const { ram, io } = machine()
    const program = { name: 'high.prg', start: 0x9ffe, bytes: new Uint8Array(6).fill(7) }
    ram.fill(7, 0x9ffe, 0xa000)
    const why = (isHidden: boolean) =>
      memoryLayout({ ram, io, isHidden }, { programs: [program], segments: [] }).find(({ name }) => name === 'high.prg')
        ?.why
    expect(why(true)).toBe('loaded, unchanged, 4 bytes not compared: ROM or I/O lies over it')
    expect(why(false)).toBe('loaded, 4 of 6 changed since')
  })
})
