import { describe, expect, it } from 'vitest'
import type { GraphicsImage } from './grab'
import { asTheVicHasIt, romSetSeen, shownPicture } from './shownPicture'

function image(registers: Readonly<Record<number, number>> = {}): GraphicsImage {
  const io = new Uint8Array(0x1000)
  const atRest = { 0xd011: 0x1b, 0xd016: 0x08, 0xd018: 0x14, 0xdd00: 0x03 }
  for (const [address, value] of Object.entries({ ...atRest, ...registers })) io[Number(address) - 0xd000] = value
  const ram = Uint8Array.from({ length: 0x10000 }, (_, address) => address >> 8)
  return { ram, io, colorRam: new Uint8Array(1024), characterRom: new Uint8Array(4096).fill(0xaa) }
}

describe('a picture', () => {
  it('is what the VIC-II has, where nothing else is chosen', () => {
    const shown = shownPicture(image(), asTheVicHasIt)
    expect(shown).toMatchObject({ screen: 0x0400, characters: 0x1000 })
    expect(shown?.artwork).toMatchObject({ kind: 'screen', mode: 'text', characters: 'upper' })
  })

  it('is of another mode, bank, screen and set where those are chosen', () => {
    const chosen = { ...asTheVicHasIt, mode: 'extendedText', bank: 1, characters: 0x3000, screen: 0x2400 } as const
    const shown = shownPicture(image(), chosen)
    expect(shown).toMatchObject({ screen: 0x2400, characters: 0x3000, bitmap: 0x4000 })
    expect(shown?.artwork).toMatchObject({ kind: 'screen', mode: 'extendedText' })
    expect(shown?.artwork.kind === 'screen' && [shown.artwork.codes[0], shown.artwork.characters[0]]).toEqual([
      0x24, 0x30,
    ])
    const inBank = shownPicture(image(), { ...asTheVicHasIt, bank: 1 })
    expect(inBank).toMatchObject({ screen: 0x4400, characters: 0x5000 })
    expect(inBank?.artwork.kind === 'screen' && inBank.artwork.characters[0]).toBe(0x50)
  })

  it('is a bitmap in a mode of bitmaps, with eight screens in FLI', () => {
    const bitmap = { ...asTheVicHasIt, mode: 'multicolourBitmap', bank: 1, bitmap: 0x6000 } as const
    expect(shownPicture(image(), bitmap)?.artwork).toMatchObject({ kind: 'bitmap', mode: 'multicolourBitmap' })
    const fli = shownPicture(image(), { ...bitmap, isFli: true })
    expect(fli).toMatchObject({ screen: 0x4000, bitmap: 0x6000 })
    const screens = fli?.artwork.kind === 'bitmap' ? fli.artwork.screen : new Uint8Array()
    expect([screens.length, screens[0], screens[1000], screens[7000]]).toEqual([8000, 0x40, 0x44, 0x5c])
  })

  it('is none in an invalid mode, unless another one is chosen', () => {
    const invalid = image({ 0xd011: 0x7b })
    expect(shownPicture(invalid, asTheVicHasIt)).toBeNull()
    expect(shownPicture(invalid, { ...asTheVicHasIt, mode: 'text' })?.artwork.mode).toBe('text')
  })

  it('has characters of ROM by name, whatever the VIC-II sees', () => {
    expect(shownPicture(image({ 0xd018: 0x18 }), { ...asTheVicHasIt, characters: 'lower' })?.artwork).toMatchObject({
      characters: 'lower',
    })
    expect([romSetSeen(0x1000), romSetSeen(0x9800), romSetSeen(0x2000)]).toEqual(['upper', 'lower', null])
  })
})
