import { describe, expect, it } from 'vitest'
import { textWidth, wrapText } from './textWidth'

describe('the width of a text', () => {
  it.each([
    ['READY.', 6],
    ['Müller', 6],
    ['e\u0301', 1],
    ['日本語', 6],
    ['🎮 x', 4],
  ])('of %s is %i columns', (text, width) => {
    expect(textWidth(text)).toBe(width)
  })
})

describe('a text that is wrapped', () => {
  it('is broken at spaces, and inside what has none', () => {
    expect(wrapText('the quick brown fox', 10)).toEqual(['the quick', 'brown fox'])
    expect(wrapText('0001_extract_sprites', 8)).toEqual(['0001_ext', 'ract_spr', 'ites'])
  })

  it('keeps the lines that it has, and its indent', () => {
    expect(wrapText('  --name\n\nb', 10)).toEqual(['  --name', '', 'b'])
  })

  it('never stands still', () => {
    expect(wrapText('日本', 1)).toEqual(['日', '本'])
  })
})
