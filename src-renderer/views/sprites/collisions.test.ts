import { describe, expect, it } from 'vitest'
import type { GraphicsImage } from '@shared/graphics/grab'
import { collisionTexts, latchedText } from './collisions'

/** Sprites 0 and 1 at one place, solid; the screen at $0400 of characters of the ROM. */
function image(characterRom: Uint8Array | null): GraphicsImage {
  const io = new Uint8Array(0x1000)
  io.set([100, 100, 100, 100], 0)
  for (const [at, value] of [
    [0x11, 0x1b],
    [0x15, 0x03],
    [0x16, 0x08],
    [0x18, 0x15],
    [0x1e, 0x81],
    [0xd00, 3],
  ] as const)
    io[at] = value
  const ram = new Uint8Array(0x10000)
  ram.fill(0xff, 0x0340, 0x0380)
  ram.fill(13, 0x07f8, 0x0800)
  return { ram, io, characterRom, colorRam: new Uint8Array(0x400) }
}

describe('the collisions of the eight sprites in words', () => {
  it('are told for each, text included', () => {
    const solid = new Uint8Array(0x1000).fill(0xff)
    expect(collisionTexts(image(solid), 'pal').slice(0, 3)).toEqual([
      'collides with sprite 1 and the foreground',
      'collides with sprite 0 and the foreground',
      'no collision',
    ])
    expect(collisionTexts(image(new Uint8Array(0x1000)), 'pal')[0]).toBe('collides with sprite 1')
  })

  it('are unknown with text whose characters the machine does not show', () => {
    const [first, , third] = collisionTexts(image(null), 'pal')
    expect(first).toBe('collides with sprite 1; with text unknown: no character ROM')
    expect(third).toBe('no collision with sprites; with text unknown: no character ROM')
    const solid = { ...image(new Uint8Array(0x1000).fill(0xff)), romNote: 'Drawn with others.' }
    expect(collisionTexts(solid, 'pal')[0]).toBe(first)
  })

  it('are none before a frame has come', () => {
    expect(collisionTexts(null, 'pal')).toEqual([])
  })

  it('are told as the chip has latched them', () => {
    expect(latchedText(image(null).io)).toBe('Latched since the program last read them: $D01E 0 7, $D01F none')
  })
})
