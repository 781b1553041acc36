import { describe, expect, it } from 'vitest'
import { wrapText } from './wrapText'

const letters = (text: string): number => text.length

describe('a text in a few lines', () => {
  it('breaks between words, and keeps to its lines with an ellipsis', () => {
    expect(wrapText('Draw the sprite', 20, 2, letters)).toEqual(['Draw the sprite'])
    expect(wrapText('Draw the sprite list', 10, 2, letters)).toEqual(['Draw the', 'sprite li…'])
    expect(wrapText('Draw', 10, 2, letters, 8)).toEqual(['Dr', 'aw'])
  })

  it('breaks a word that is longer than a line, and shows nothing of nothing', () => {
    expect(wrapText('abcdefghijkl', 5, 2, letters)).toEqual(['abcde', 'fghi…'])
    expect(wrapText(' ', 5, 2, letters)).toEqual([])
  })
})
