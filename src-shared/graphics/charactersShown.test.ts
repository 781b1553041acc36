import { describe, expect, it } from 'vitest'
import { characterPixels } from './artworkPixels'
import { charactersOnly, charactersShown, colourOf, eachCharacterLine, type CharactersChoices } from './charactersShown'
import type { GraphicsImage } from './grab'
import { LinePicture } from './linePicture'

function image(registers: Readonly<Record<number, number>> = {}): GraphicsImage {
  const io = new Uint8Array(0x1000)
  const atRest = { 0xd011: 0x1b, 0xd016: 0x08, 0xd018: 0x14, 0xdd00: 0x03, 0xd021: 6, 0xd022: 2, 0xd023: 3, 0xd024: 4 }
  for (const [address, value] of Object.entries({ ...atRest, ...registers })) io[Number(address) - 0xd000] = value
  const ram = Uint8Array.from({ length: 0x10000 }, (_, address) => (address * 7) & 0xff)
  ram.fill(0x20, 0x0400, 0x07e8)
  ram[0x0400] = 1
  const colorRam = new Uint8Array(1024).fill(14)
  colorRam[0] = 5
  return { ram, io, colorRam, characterRom: Uint8Array.from({ length: 4096 }, (_, at) => at >> 4) }
}
const asUsed: CharactersChoices = { from: null, mode: null, colour: null }

describe('a character set', () => {
  it('is the one that the VIC-II uses, in the colours that its screen has', () => {
    const shown = charactersShown(image(), asUsed)
    expect(shown).toMatchObject({ address: 0x1000, rom: 'upper', isUsed: true })
    expect([shown.use?.cells[1], shown.use?.cells[0x20]]).toEqual([1, 999])
    expect([colourOf(shown.set, 1), colourOf(shown.set, 0x20), colourOf(shown.set, 2)]).toEqual([5, 14, 14])
  })

  it('is from RAM at any address, not in use, in the usual colour or a chosen one', () => {
    const shown = charactersShown(image(), { ...asUsed, from: 0x3123 })
    expect(shown).toMatchObject({ address: 0x3123, rom: null, isUsed: false, use: null })
    expect(shown.set.bytes[0]).toBe((0x3123 * 7) & 0xff)
    expect(shown.set).toMatchObject({ colour: 14, colours: null })
    expect(charactersShown(image(), { ...asUsed, colour: 3 }).set).toMatchObject({ colour: 3, colours: null })
  })

  it('is in use where the VIC-II takes it from RAM, but not where the VIC-II sees ROM instead', () => {
    expect(charactersShown(image({ 0xd018: 0x18 }), { ...asUsed, from: 0x2000 }).isUsed).toBe(true)
    expect(charactersShown(image(), { ...asUsed, from: 0x1000 }).isUsed).toBe(false)
    expect(charactersShown(image({ 0xd011: 0x3b }), asUsed).isUsed).toBe(false)
  })

  it('is blank where the machine does not show its ROM', () => {
    const shown = charactersShown({ ...image(), characterRom: null }, asUsed)
    expect(shown.set.bytes.every((byte) => byte === 0)).toBe(true)
  })

  it('is of others where the machine does not show its ROM, but for sets in RAM', () => {
    const standIn = { ...image(), romNote: 'Others.' }
    expect(charactersShown(standIn, asUsed)).toMatchObject({
      isStandIn: true,
      set: { bytes: charactersShown(image(), asUsed).set.bytes },
    })
    expect(charactersShown(standIn, { ...asUsed, from: 0x2000 }).isStandIn).toBe(false)
    expect(charactersShown(image(), asUsed).isStandIn).toBe(false)
  })

  it('is drawn as its characters are, with four backgrounds of 64 shapes in extended colour text', () => {
    const colours = Uint32Array.from({ length: 16 }, (_, colour) => colour)
    const { set } = charactersShown(image({ 0xd018: 0x18 }), { ...asUsed, mode: 'multicolourText' })
    const picture = new LinePicture(16, 16, colours)
    eachCharacterLine(set, picture.take)
    expect([...picture.words.subarray(128 * 8 + 8, 128 * 8 + 16)]).toEqual([
      ...characterPixels(set, 17).pixels.subarray(0, 8),
    ])
    const extended = new LinePicture(16, 16, colours)
    eachCharacterLine({ ...set, mode: 'extendedText', bytes: new Uint8Array(2048) }, extended.take)
    expect([0, 4, 8, 12].map((row) => extended.words[row * 8 * 128])).toEqual([6, 2, 3, 4])
  })

  it('gives some of its characters alone', () => {
    const { set } = charactersShown(image(), asUsed)
    const two = charactersOnly(set, [2, 1], 'two')
    expect([two.bytes.length, two.bytes[0], two.bytes[8]]).toEqual([16, 1, 0])
    expect([...(two.colours ?? [])]).toEqual([14, 5])
  })
})
