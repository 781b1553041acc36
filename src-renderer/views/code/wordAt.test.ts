import { expect, it } from 'vitest'
import { wordAt } from './wordAt'

it('finds the symbol or the number at a place of a source line', () => {
  const line = 'main:  jsr draw.loop ; $d020'
  expect([0, 3, 8, 11, 20, 25].map((offset) => wordAt(line, offset))).toEqual([
    'main',
    'main',
    'jsr',
    'draw.loop',
    'draw.loop',
    '$d020',
  ])
  expect(wordAt(line, 6)).toBe('')
  expect(wordAt('', 0)).toBe('')
})
