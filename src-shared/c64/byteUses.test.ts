import { describe, expect, it } from 'vitest'
import { bankingPins, placesIn } from './banking'
import { byteUses } from './byteUses'
import { builtInNames } from './labels/names'

/** As after power-on, with a program in BASIC and sprite 1 on. */
function machine({ port = 0x37, known = true } = {}) {
  const ram = new Uint8Array(0x10000)
  ram.set([0x2f, port])
  ram.set([0x01, 0x08, 0x20, 0x08, 0x2e, 0x08, 0x2e, 0x08, 0xf0, 0x9f, 0x00, 0x00, 0x00, 0xa0], 0x2b)
  ram.set([0x31, 0xea], 0x0314)
  ram.set([0x0d, 0x0e], 0x07f8)
  const io = new Uint8Array(0x1000).fill(0xff)
  io.set([0x1b], 0x11)
  io.set([0x02], 0x15)
  io.set([0xc8], 0x16)
  io.set([0x15], 0x18)
  io.set([0xfe], 0x20)
  io.set([0xf2], 0x800)
  io.set([0xc7], 0xd00)
  return { ram, io, places: placesIn('cpu', bankingPins(0x2f, port)), known }
}

const uses = (address: number, { ram, io, places, known }: ReturnType<typeof machine> = machine()): string[] =>
  byteUses(address, {
    read: (at) => (known || (at & 0xfffe) === (address & 0xfffe) ? (ram[at] ?? 0) : null),
    readRam: (at) => (known ? (ram[at] ?? 0) : null),
    io: known ? io : null,
    places,
    names: builtInNames,
    standard: 'pal',
  })

describe('what a byte is for', () => {
  it.each([
    [0xd020, 'VIC-II register: Border colour (light blue)'],
    [0xd060, 'VIC-II register, seen again from $D020: Border colour (light blue)'],
    [0xd412, 'SID register: Voice 3: waveform, test, ring modulation, sync, gate'],
    [0x0400, 'Character at row 0, column 0 of the screen'],
    [0x0453, 'Character at row 2, column 3 of the screen'],
    [0xd800, 'Colour of row 0, column 0 of the screen: red'],
    [0x07f9, 'Pointer of sprite 1 (on), picture at $0380'],
    [0x07f8, 'Pointer of sprite 0 (off), picture at $0340'],
    [0x0385, 'Picture of sprite 1, row 1, byte 2'],
    [0x0001, 'Chooses what the CPU sees: BASIC ROM, I/O, KERNAL ROM'],
    [0x0314, 'Low byte of the pointer CINV'],
    [0x0315, 'High byte of the pointer CINV'],
    [0x002c, 'High byte of the pointer TXTTAB'],
    [0x0810, 'BASIC program, $0801 to $081F'],
  ])('at $%x: %s', (address, text) => {
    expect(uses(address).some((use) => use.startsWith(text))).toBe(true)
  })

  it('follows a pointer to the name of its target', () => {
    expect(uses(0x002b).join()).toContain('(Where the BASIC program starts): $0801')
  })

  it('says what a register does not give back', () => {
    expect(uses(0xd418).join()).toContain('a real chip does not give it back')
    expect(uses(0xdc0d).join()).toContain('cannot be read')
  })

  it('is of RAM where the program has banked I/O out', () => {
    const banked = machine({ port: 0x30 })
    expect(uses(0xd020, banked)).toEqual([])
    expect(uses(0xd800, banked)).toEqual([])
    expect(uses(0x0001, banked)).toEqual(['Chooses what the CPU sees: RAM at $A000, RAM at $D000, RAM at $E000'])
  })

  it('tells the lines of a bitmap and of characters in RAM', () => {
    const bitmap = machine()
    bitmap.io.set([0x3b], 0x11)
    bitmap.io.set([0x19], 0x18)
    expect(uses(0x2003 + 8 * 41, bitmap)).toEqual(['Bitmap, line 3 at row 1, column 1 of the screen'])
    expect(uses(0x0400, bitmap)).toEqual(['Colours of row 0, column 0 of the screen: black and black'])
    const characters = machine()
    characters.io.set([0x19], 0x18)
    expect(uses(0x200a, characters)).toContain('Picture of character $01, line 2')
  })

  it('finds sprites by what is in RAM, whatever the CPU sees there', () => {
    const high = machine()
    high.io.set([0xc4], 0xd00) // bank 3
    high.io.set([0x85], 0x18) // screen at $E000
    high.ram[0xe3f9] = 0x05
    expect(uses(0xc140, high)).toEqual(['Picture of sprite 1, row 0, byte 0'])
    expect(uses(0xc140, { ...high, known: false })).toEqual([])
  })

  it('does not guess a port that the machine does not show', () => {
    const hidden = machine()
    hidden.ram.set([0, 0])
    expect(uses(0x0001, hidden)).toEqual(['Chooses what the CPU sees; this machine does not show what it holds'])
  })

  it('says nothing that is not known', () => {
    const unknown = machine({ known: false })
    expect(uses(0x0400, unknown)).toEqual([])
    expect(uses(0xd020, unknown)).toEqual(['VIC-II register: Border colour'])
  })
})
