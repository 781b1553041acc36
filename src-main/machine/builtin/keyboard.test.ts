import { describe, expect, it } from 'vitest'
import type { C64Key } from '@shared/c64/keyboardMatrix'
import { Keyboard } from './keyboard'

function keyboardWith(...keys: C64Key[]): Keyboard {
  const keyboard = new Keyboard()
  keyboard.setKeys(keys)
  return keyboard
}

const ALL_HIGH = 0xff
const low = (...bits: number[]): number => bits.reduce((lines, bit) => lines & ~(1 << bit), ALL_HIGH)

// W is at column 1, row 1; R at column 2, row 1; A at column 1, row 2; D at column 2, row 2.
describe('the keyboard matrix', () => {
  it('joins the column and the row of a key, whichever of them is low', () => {
    const keyboard = keyboardWith('w')
    expect(keyboard.settle(low(1), ALL_HIGH)).toEqual({ columns: low(1), rows: low(1) })
    expect(keyboard.settle(ALL_HIGH, low(1))).toEqual({ columns: low(1), rows: low(1) })
    expect(keyboard.settle(low(2), low(3))).toEqual({ columns: low(2), rows: low(3) })
  })

  it('shows the fourth key of a rectangle when three are down', () => {
    const keyboard = keyboardWith('w', 'r', 'a')
    expect(keyboard.settle(low(2), ALL_HIGH)).toEqual({ columns: low(1, 2), rows: low(1, 2) })
    expect(keyboard.settle(ALL_HIGH, low(2))).toEqual({ columns: low(1, 2), rows: low(1, 2) })
  })

  it('leaves two keys of different columns and rows apart', () => {
    expect(keyboardWith('w', 'd').settle(low(1), ALL_HIGH)).toEqual({ columns: low(1), rows: low(1) })
  })

  it('takes a low line on through any number of keys', () => {
    const through = { columns: low(1, 2), rows: low(1, 2) }
    expect(keyboardWith('w', 'r', 'd').settle(low(1), ALL_HIGH)).toEqual(through)
    expect(keyboardWith('w', 'r', 'd').settle(ALL_HIGH, low(2))).toEqual(through)
  })
})
