import { describe, expect, it } from 'vitest'
import type { GraphicsImage } from './grab'
import { cellFacts, unicodeText } from './pictureCell'
import { asTheVicHasIt, shownPicture, type PictureChoices } from './shownPicture'

const io = new Uint8Array(0x1000)
for (const [address, value] of [
  [0xd011, 0x1b],
  [0xd016, 8],
  [0xd018, 0x14],
  [0xdd00, 3],
  [0xd021, 6],
] as const)
  io[address - 0xd000] = value
const image: GraphicsImage = {
  io,
  characterRom: new Uint8Array(4096),
  ram: new Uint8Array(0x10000).fill(0x41, 0x0400, 0x0800),
  colorRam: new Uint8Array(1024).fill(14),
}
const facts = (choices: Partial<PictureChoices>) => {
  const shown = shownPicture(image, { ...asTheVicHasIt, ...choices })
  return Object.fromEntries(shown ? cellFacts(shown, 1, 2).map(({ label, text }) => [label, text]) : [])
}

describe('a cell of a picture', () => {
  it('has a code with its character, colours and addresses in text', () => {
    expect(facts({})).toMatchObject({
      Cell: 'column 1, row 2',
      Code: '$41 = 65',
      Unicode: '♠ (U+2660)',
      Colour: '14 light blue',
      Background: '6 blue',
      Screen: '$0451',
      'Colour RAM': '$D851',
      Character: '$41 in ROM',
    })
    expect(facts({ characters: 0x2000 })).toMatchObject({ 'In ROM’s set': '♠ (U+2660)', Character: '$2208' })
  })

  it('has the colours of its bits in a bitmap, and eight screens in FLI', () => {
    expect(facts({ mode: 'bitmap' })).toMatchObject({
      'Bits 1, 0': '4 purple, 1 white',
      'Pair 11': '–',
      Bitmap: '$0288',
    })
    expect(facts({ mode: 'multicolourBitmap', isFli: true, screen: 0x0400 })).toMatchObject({
      Screens: '$41 $00 $00 $00 $00 $00 $00 $00',
      'Pair 11': '14 light blue',
    })
  })

  it('says what is blank and what is reversed', () => {
    expect([unicodeText(0x20, 'upper'), unicodeText(0xa0, 'upper'), unicodeText(0x81, 'lower')]).toEqual([
      'space',
      '█ (U+2588)',
      'a (U+0061, reversed)',
    ])
  })
})
