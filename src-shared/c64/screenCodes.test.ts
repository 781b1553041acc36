import { describe, expect, it } from 'vitest'
import { screenCodeToText, screenToText, textToScreenCode } from './screenCodes'

const all = Array.from({ length: 128 }, (_, code) => code)

describe('screen codes', () => {
  it('show capitals in one set and small letters in the other', () => {
    expect(screenCodeToText(1, 'upper')).toBe('A')
    expect(screenCodeToText(1, 'lower')).toBe('a')
    expect(screenCodeToText(0x41, 'upper')).toBe('♠')
    expect(screenCodeToText(0x41, 'lower')).toBe('A')
  })

  it.each(['upper', 'lower'] as const)('each show one character in the %s set', (set) => {
    for (const code of all) expect(Array.from(screenCodeToText(code, set))).toHaveLength(1)
  })

  it('show the same glyph reversed, and a reversed space as a block', () => {
    expect(screenCodeToText(0x81, 'upper')).toBe('A')
    expect(screenCodeToText(0xa0, 'upper')).toBe('█')
    expect(screenCodeToText(0xe0, 'lower')).toBe('█')
  })

  it('are found again from the character', () => {
    for (const code of all.filter((code) => code !== 0x60))
      expect(textToScreenCode(screenCodeToText(code, 'upper'))).toBe(code)
    expect(textToScreenCode('q')).toBe(0x11)
    expect(textToScreenCode('€')).toBeNull()
  })
})

it('a screen is 25 rows of 40 characters', () => {
  const screen = new Uint8Array(1000).fill(0x20)
  screen.set([18, 5, 1, 4, 25, 46], 40)
  const rows = screenToText(screen, 'upper')
  expect(rows).toHaveLength(25)
  expect(rows[1]).toBe('READY.'.padEnd(40))
  expect(rows.every((row) => row.length === 40)).toBe(true)
})

it('a screen that is cut short shows spaces where it ends', () => {
  expect(screenToText(Uint8Array.of(1), 'upper')[0]).toBe('A'.padEnd(40))
})
