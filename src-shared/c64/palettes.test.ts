import { describe, expect, it } from 'vitest'
import { colourName, colourNames, cssColour, paletteNames, palettes, paletteTitles } from './palettes'

describe('the palettes', () => {
  it.each(paletteNames)('%s has sixteen different colours, the first black', (name) => {
    expect(new Set(palettes[name]).size).toBe(16)
    expect(palettes[name][0]).toBe(0)
    expect(paletteTitles[name]).not.toBe('')
  })

  it('name each of the sixteen colours differently', () => {
    expect(new Set(colourNames).size).toBe(16)
  })

  it('ignore the high nibble of a colour register, which is not connected', () => {
    expect(colourName(0xf6)).toBe('blue')
    expect(cssColour(palettes.pepto, 0xf6)).toBe('#352879')
  })
})
