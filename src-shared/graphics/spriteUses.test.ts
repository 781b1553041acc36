import { describe, expect, it } from 'vitest'
import type { GraphicsImage } from './grab'
import { SpriteUses } from './spriteUses'

/** Bank 0, screen at $0400, with the bits set that are not connected. */
function machine(): GraphicsImage {
  const io = new Uint8Array(0x1000).fill(0xff)
  io.fill(0, 0, 0x20)
  io.fill(0xf0, 0x20, 0x2f)
  io.set([0x1b], 0x11)
  io.set([0xc8, 0, 0x15, 0x70, 0xf0], 0x16)
  io[0xd00] = 3
  return { ram: new Uint8Array(0x10000), characterRom: null, colorRam: new Uint8Array(1024), io }
}

describe('uses of sprites', () => {
  it('are those of sprites that are on, with how they are shown', () => {
    const image = machine()
    image.ram.set([0x80, 0x80, 0x81], 0x07f8)
    image.io[0x15] = 0b011
    image.io[0x1c] = 0b001
    image.io[0x27] = 0xf5
    const uses = new SpriteUses()
    uses.note(image, 100)
    const look = { colour: 5, multicolour: true, expandX: false, expandY: false }
    expect([...uses.all]).toEqual([[0x2000, { time: 100, look, sprites: [0, 1] }]])
    expect(uses.now).toEqual(new Set([0x2000]))
  })

  it('are remembered with the time of the last one', () => {
    const image = machine()
    image.io[0x15] = 1
    const uses = new SpriteUses()
    for (const [time, pointer] of [0x80, 0x81, 0x81].entries()) {
      image.ram[0x07f8] = pointer
      uses.note(image, time)
    }
    expect([...uses.all].map(([address, { time }]) => [address, time])).toEqual([
      [0x2000, 0],
      [0x2040, 2],
    ])
    expect(uses.now).toEqual(new Set([0x2040]))
    uses.clear()
    expect([uses.all.size, uses.now.size]).toEqual([0, 0])
  })

  it('are not taken from registers that the program has switched off', () => {
    const image = machine()
    image.io.fill(0)
    const uses = new SpriteUses()
    uses.note(image, 0)
    expect(uses.all.size).toBe(0)
  })
})
