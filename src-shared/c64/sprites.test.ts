import { describe, expect, it } from 'vitest'
import { decodeSprites, spritePixels, TRANSPARENT, spriteRegisters } from './sprites'

const look = { multicolour: false, colour: 5, multicolour1: 1, multicolour2: 2 }
const empty = TRANSPARENT

function machine(registers: Record<number, number>, memory: Record<number, number> = {}) {
  const io = new Uint8Array(0x1000)
  const ram = new Uint8Array(0x10000)
  // Bank 0, screen $0400.
  for (const [address, value] of Object.entries({ 0xdd00: 0x03, 0xd018: 0x15, ...registers }))
    io[Number(address) - 0xd000] = value
  for (const [address, value] of Object.entries(memory)) ram[Number(address)] = value
  return { io, ram, characterRom: null }
}

const spriteOf = (sources: Parameters<typeof decodeSprites>[0], n: number) => {
  const sprite = decodeSprites(sources)[n]
  if (!sprite) throw new Error(`no sprite ${n}`)
  return sprite
}

describe('sprite pixels', () => {
  it('start with the highest bit of the first byte', () => {
    const data = new Uint8Array(63)
    data[0] = 0b1000_0001
    data[62] = 0b0000_0001
    const pixels = spritePixels(data, look)
    expect([...pixels.subarray(0, 9)]).toEqual([5, empty, empty, empty, empty, empty, empty, 5, empty])
    expect(pixels[24 * 21 - 1]).toBe(5)
    expect(pixels.filter((pixel) => pixel !== empty)).toHaveLength(3)
  })

  it('take two bits each in multicolour: 01 and 11 are shared, 10 is the sprite’s own', () => {
    const data = new Uint8Array(63)
    data[0] = 0b00_01_10_11
    expect([...spritePixels(data, { ...look, multicolour: true }).subarray(0, 8)]).toEqual([
      empty,
      empty,
      1,
      1,
      5,
      5,
      2,
      2,
    ])
  })
})

it('a sprite has its position and colour of its own, and a bit in six registers', () => {
  const registers = spriteRegisters(2)
  expect(registers.slice(0, 3)).toEqual([0xd004, 0xd005, 0xd029])
  expect(registers).toHaveLength(9)
})

describe('the sprites', () => {
  it('have their position in nine bits across and eight down', () => {
    const sources = machine({ 0xd004: 0x58, 0xd005: 200, 0xd010: 0b0000_0100 })
    expect(spriteOf(sources, 2)).toMatchObject({ x: 0x158, y: 200 })
    expect(spriteOf(sources, 3)).toMatchObject({ x: 0, y: 0 })
  })

  it('have their switches as one bit each', () => {
    const sources = machine({
      0xd015: 0x02,
      0xd01c: 0x02,
      0xd017: 0x02,
      0xd01d: 0x02,
      0xd01b: 0x02,
      0xd028: 0xf7,
      0xd025: 0xf1,
      0xd026: 0xf2,
    })
    expect(spriteOf(sources, 1)).toMatchObject({
      enabled: true,
      multicolour: true,
      expandX: true,
      expandY: true,
      behind: true,
      colour: 7,
      multicolour1: 1,
      multicolour2: 2,
    })
    expect(spriteOf(sources, 0)).toMatchObject({
      enabled: false,
      multicolour: false,
      expandX: false,
      expandY: false,
      behind: false,
    })
  })

  it('point into the VIC-II’s bank from behind its screen', () => {
    const sources = machine({ 0xdd00: 0x02, 0xd018: 0x35 }, { 0x4ff8: 0x80, 0x6000: 0x80 })
    expect(spriteOf(sources, 0)).toMatchObject({ pointer: 0x80, address: 0x6000, fromCharacterRom: false })
    expect(spriteOf(sources, 0).pixels[0]).toBe(0)
  })

  it('show character ROM where the VIC-II sees it in place of RAM', () => {
    const sources = machine({ 0xd027: 5 }, { 0x07f8: 0x40, 0x1000: 0xff })
    expect(spriteOf(sources, 0)).toMatchObject({ address: 0x1000, fromCharacterRom: true })
    expect(spriteOf(sources, 0).pixels.every((pixel) => pixel === empty)).toBe(true)
    const characterRom = new Uint8Array(0x1000)
    characterRom[0] = 0x80
    expect([...spriteOf({ ...sources, characterRom }, 0).pixels.subarray(0, 2)]).toEqual([5, empty])
  })
})
