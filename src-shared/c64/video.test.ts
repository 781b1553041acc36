import { describe, expect, it } from 'vitest'
import { decodeVideo, isCharacterRom } from './video'

/** The I/O area after power-on, with some registers changed. */
function io(changes: Record<number, number> = {}): Uint8Array {
  const bytes = new Uint8Array(0x1000)
  bytes.fill(0xf0, 0x20, 0x2f)
  bytes.fill(0xff, 0x2f, 0x40)
  const powerOn = { 0xd011: 0x1b, 0xd012: 0x37, 0xd016: 0xc8, 0xd018: 0x15, 0xd019: 0x71, 0xd01a: 0xf0, 0xdd00: 0x97 }
  for (const [address, value] of Object.entries({ ...powerOn, ...changes })) bytes[Number(address) - 0xd000] = value
  return bytes
}

describe('the video registers', () => {
  it('after power-on mean text at $0400 with characters from ROM', () => {
    expect(decodeVideo(io())).toEqual({
      bank: 0,
      bankStart: 0,
      screen: 0x0400,
      characters: 0x1000,
      bitmap: 0,
      charactersFromRom: true,
      mode: 'text',
      displayOn: true,
      rows: 25,
      columns: 40,
      scrollX: 0,
      scrollY: 3,
      raster: 0x37,
      visible: true,
    })
  })

  it('choose the bank with inverted bits of CIA 2', () => {
    expect([0, 1, 2, 3].map((pins) => decodeVideo(io({ 0xdd00: 0x94 | pins })).bankStart)).toEqual([
      0xc000, 0x8000, 0x4000, 0x0000,
    ])
  })

  it('see no character ROM in banks 1 and 3', () => {
    expect([0, 1, 2, 3].map((pins) => decodeVideo(io({ 0xdd00: pins })).charactersFromRom)).toEqual([
      false,
      true,
      false,
      true,
    ])
    expect([0x0fff, 0x1000, 0x1fff, 0x2000, 0x5000, 0x9000, 0xd000].map(isCharacterRom)).toEqual([
      false,
      true,
      true,
      false,
      false,
      true,
      false,
    ])
  })

  it.each([
    [0x1b, 0xc8, 'text'],
    [0x1b, 0xd8, 'multicolourText'],
    [0x3b, 0xc8, 'bitmap'],
    [0x3b, 0xd8, 'multicolourBitmap'],
    [0x5b, 0xc8, 'extendedText'],
    [0x5b, 0xd8, 'invalid'],
    [0x7b, 0xc8, 'invalid'],
    [0x7b, 0xd8, 'invalid'],
  ])('$D011 = %i and $D016 = %i are the mode %s', (control1, control2, mode) => {
    expect(decodeVideo(io({ 0xd011: control1, 0xd016: control2 })).mode).toBe(mode)
  })

  it('give the raster line in nine bits', () => {
    expect(decodeVideo(io({ 0xd011: 0x9b, 0xd012: 0x05 })).raster).toBe(261)
  })

  it('are not believed when bits are 0 that the chip has not connected', () => {
    expect(decodeVideo(io({ 0xd020: 0x0e })).visible).toBe(false)
    expect(decodeVideo(new Uint8Array(0x1000)).visible).toBe(false)
    expect(decodeVideo(io({ 0xd020: 0xfe })).visible).toBe(true)
  })
})
