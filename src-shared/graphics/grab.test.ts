import { describe, expect, it } from 'vitest'
import {
  bytesSeen,
  charactersDrawn,
  grabBitmap,
  grabCharacters,
  grabScreen,
  grabShown,
  spriteAddresses,
  spriteAt,
  spriteLookOf,
  type GraphicsImage,
} from './grab'

/** A machine after power-on: bank 0, screen at $0400, characters in ROM at $1000. */
function machine(registers: Readonly<Record<number, number>> = {}): GraphicsImage {
  const io = new Uint8Array(0x1000)
  const all = { 0xd011: 0x1b, 0xd016: 0xc8, 0xd018: 0x15, 0xd020: 0xfe, 0xd021: 0xf6, 0xdd00: 0x97, ...registers }
  for (const [address, value] of Object.entries(all)) io[Number(address) - 0xd000] = value
  return {
    ram: Uint8Array.from({ length: 0x10000 }, (_, at) => at & 0xff),
    characterRom: new Uint8Array(0x1000).fill(0xaa),
    colorRam: new Uint8Array(0x400).fill(0xfe),
    io,
  }
}

describe('what the VIC-II shows', () => {
  it('is the screen with the ROM’s characters after power-on', () => {
    const shown = grabShown(machine())
    expect(shown).toMatchObject({ kind: 'screen', name: '$0400', mode: 'text', characters: 'upper', border: 14 })
    expect(shown).toMatchObject({ backgrounds: [6, 0, 0, 0] })
  })

  it('is the screen with a set of the program’s own, where the VIC-II finds one', () => {
    const { characters } = grabScreen(machine({ 0xd018: 0x18 }))
    expect(characters).toEqual(Uint8Array.from({ length: 2048 }, (_, at) => at & 0xff))
  })

  it('is text with the characters that stand in for those of a ROM, which nothing else is taken from', () => {
    const standIn = { ...machine(), romNote: 'Others.' }
    expect(charactersDrawn(standIn)).toEqual(new Uint8Array(2048).fill(0xaa))
    expect(bytesSeen(standIn, 0x1000, 4)).toEqual(new Uint8Array(4))
    expect(grabCharacters(standIn).bytes).toEqual(new Uint8Array(2048))
    expect(spriteAt(standIn, 0x1000, spriteLookOf(standIn, 0), true).bytes).toEqual(new Uint8Array(63))
    expect(bytesSeen(machine(), 0x1000, 4)).toEqual(new Uint8Array(4).fill(0xaa))
  })

  it('is a bitmap in the bitmap modes, with clean colours', () => {
    const shown = grabShown(machine({ 0xd011: 0x3b, 0xd016: 0xd8, 0xd018: 0x18 }))
    expect(shown).toMatchObject({ kind: 'bitmap', mode: 'multicolourBitmap', name: '$2000', background: 6 })
    expect(shown?.kind === 'bitmap' && shown.colours.every((colour) => colour === 14)).toBe(true)
  })

  it('is nothing in a mode without a picture', () => {
    expect(grabShown(machine({ 0xd011: 0x7b }))).toBeNull()
  })
})

describe('graphics at an address', () => {
  it('are RAM, also where the VIC-II would see ROM', () => {
    expect(grabCharacters(machine(), 0x1000).bytes[1]).toBe(1)
    expect(grabCharacters(machine()).bytes[1]).toBe(0xaa)
  })

  it('are filled up with zeros past the end of memory', () => {
    const { bitmap } = grabBitmap(machine(), { bitmap: 0xff00 })
    expect([bitmap.length, bitmap[0xff], bitmap[0x100]]).toEqual([8000, 0xff, 0])
  })
})

describe('sprites', () => {
  it('are found by their pointers in the VIC-II’s bank', () => {
    const image = machine({ 0xdd00: 0x96 })
    image.ram.set([0, 1, 2, 3, 4, 5, 6, 7], 0x4000 + 0x7f8)
    expect(spriteAddresses(image)).toEqual([0x4000, 0x4040, 0x4080, 0x40c0, 0x4100, 0x4140, 0x4180, 0x41c0])
  })

  it('look as their registers say', () => {
    const image = machine({ 0xd01c: 2, 0xd01d: 2, 0xd017: 0, 0xd028: 0xf7 })
    const look = { colour: 7, multicolour: true, expandX: true, expandY: false }
    expect(spriteLookOf(image, 1)).toEqual(look)
    expect(spriteAt(image, 0x2000, look)).toMatchObject({ ...look, name: '$2000', overlay: false })
  })

  it('have ROM in them where the VIC-II sees it', () => {
    const look = spriteLookOf(machine(), 0)
    expect(spriteAt(machine(), 0x1000, look, true).bytes[1]).toBe(0xaa)
    expect(spriteAt(machine(), 0x1000, look).bytes[1]).toBe(1)
  })
})
