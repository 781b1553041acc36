import { describe, expect, it } from 'vitest'
import { collisionText, spriteCollisions } from './spriteCollisions'
import { renderPicture, type Scene } from './vicii'

const LEFT_COLUMN = Array.from({ length: 63 }, (_, at) => (at % 3 === 0 ? 0x80 : 0))

/** The screen at $0400, characters at $2000, sprites' data at $0340; all sprites at y 100, apart from each other. */
function scene(registers: Readonly<Record<number, number>>, isCovered = false): Scene {
  const ram = new Uint8Array(0x10000)
  ram.set(LEFT_COLUMN, 0x0340)
  ram.fill(13, 0x07f8, 0x0800)
  ram.fill(0xff, 0x2008, 0x2010)
  if (isCovered) ram.fill(1, 0x0400, 0x07e8)
  const all = new Uint8Array(0x2f)
  for (let n = 0; n < 8; n++) all.set([30 + 28 * n, 100], 2 * n)
  for (const [at, value] of Object.entries({ 0x11: 0x1b, 0x16: 0x08, 0x18: 0x18, ...registers }))
    all[Number(at)] = value
  return { ram, registers: all, bank: 0, standard: 'pal', characterRom: ram, colorRam: new Uint8Array(0x400) }
}

describe('the collisions of sprites', () => {
  it('are none apart from each other, and none of sprites that are off', () => {
    for (const on of [0xff, 0])
      expect(spriteCollisions(scene({ 0x15: on })).every((each) => collisionText(each) === '')).toBe(true)
  })

  it('say with which sprite, where pixels of both meet', () => {
    const found = spriteCollisions(scene({ 0x15: 0xff, 0x06: 30, 0x0a: 58, 0x0c: 58, 0x02: 58 }))
    expect(found.map(({ sprites }) => sprites)).toEqual([[3], [5, 6], [], [0], [], [1, 6], [1, 5], []])
    expect(found.map(collisionText).slice(0, 3)).toEqual(['collides with sprite 3', 'collides with sprites 5, 6', ''])
  })

  it('are none where only empty parts of sprites meet', () => {
    expect(spriteCollisions(scene({ 0x15: 3, 0x02: 31 })).map(({ sprites }) => sprites.length)).toEqual(
      Array<number>(8).fill(0),
    )
  })

  it('are those of the chip, foreground included', () => {
    const covered = scene({ 0x15: 0x0b, 0x06: 30 }, true)
    const found = spriteCollisions(covered)
    const { spriteCollisions: sprites, backgroundCollisions } = renderPicture(covered)
    expect(found.reduce((bits, { n, foreground }) => bits | (foreground ? 1 << n : 0), 0)).toBe(backgroundCollisions)
    expect(found.reduce((bits, { n, sprites: own }) => bits | (own.length > 0 ? 1 << n : 0), 0)).toBe(sprites)
    expect(collisionText(found[0] ?? { sprites: [], foreground: false })).toBe(
      'collides with sprite 3 and the foreground',
    )
  })
})
