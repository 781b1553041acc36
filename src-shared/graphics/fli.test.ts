import { describe, expect, it } from 'vitest'
import { fliRegisters, fliScreenBytes, likelyFli } from './fli'
import type { GraphicsImage } from './grab'

/** Bank 1, a multicolour bitmap at $6000. */
function image(
  fill: (screen: number, cell: number) => number,
  registers: Readonly<Record<number, number>> = {},
): GraphicsImage {
  const io = new Uint8Array(0x1000)
  for (const [address, value] of Object.entries({
    0xd011: 0x3b,
    0xd016: 0x18,
    0xd018: 0x08,
    0xdd00: 0x02,
    ...registers,
  }))
    io[Number(address) - 0xd000] = value
  const ram = new Uint8Array(0x10000)
  for (let screen = 0; screen < 8; screen++)
    for (let cell = 0; cell < 1000; cell++) ram[0x4000 + screen * 0x400 + cell] = fill(screen, cell)
  return { ram, io, colorRam: new Uint8Array(1024), characterRom: null }
}
const noise = (at: number) => (Math.imul(at + 1, 2654435761) >>> 13) & 0xff
const alike = (screen: number, cell: number) => (noise(cell) & 0xf0) | (screen & 0x0f)

describe('FLI', () => {
  it('is likely where eight screens of the bank resemble each other but differ', () => {
    const found = likelyFli(image(alike), null)
    expect(found).toMatchObject({ screens: 0x4000, bitmap: 0x6000 })
    expect(found?.reasons).toHaveLength(1)
  })

  it('is not where the screens are the same, blank, or have nothing in common', () => {
    expect(
      likelyFli(
        image((_, cell) => noise(cell)),
        null,
      ),
    ).toBeNull()
    expect(
      likelyFli(
        image(() => 0),
        null,
      ),
    ).toBeNull()
    expect(
      likelyFli(
        image((screen, cell) => noise(screen * 1000 + cell)),
        null,
      ),
    ).toBeNull()
  })

  it('is not where one screen has few colours among blank ones', () => {
    expect(
      likelyFli(
        image((screen, cell) => (screen === 1 ? noise(cell) & 0x0f : 0)),
        null,
      ),
    ).toBeNull()
    expect(
      likelyFli(
        image((screen, cell) => (screen >= 6 ? noise(cell + screen) & 0x0f : 0)),
        null,
      ),
    ).toBeNull()
  })

  it('is not where one screen stands in memory as after power-on', () => {
    const pattern = (cell: number) => ((cell >> 6) & 1) * 0xff
    expect(
      likelyFli(
        image((screen, cell) => (screen === 1 ? noise(cell) : pattern(cell))),
        null,
      ),
    ).toBeNull()
  })

  it('is not where the program is known to leave the registers alone that FLI writes in each line', () => {
    expect(likelyFli(image(alike), new Set([0xd020]))).toBeNull()
    expect(likelyFli(image(alike), new Set(fliRegisters))?.reasons).toHaveLength(2)
  })

  it('is not where the VIC-II shows characters, or sees ROM in place of a screen', () => {
    expect(likelyFli(image(alike, { 0xd011: 0x1b }), null)).toBeNull()
    expect(likelyFli(image(alike, { 0xdd00: 0x03 }), null)).toBeNull()
  })

  it('gives the screens line by line', () => {
    const bytes = fliScreenBytes(image(alike).ram, 0x4000)
    expect([bytes.length, bytes[1000], bytes[7003]]).toEqual([8000, alike(1, 0), alike(7, 3)])
  })
})
