import { describe, expect, it } from 'vitest'
import { codesOf, movedBy } from './selection'

describe('the characters that are chosen', () => {
  it('are those in the rectangle between two corners, row by row', () => {
    expect(codesOf({ anchor: 0x22, focus: 0x11 })).toEqual([0x11, 0x12, 0x21, 0x22])
    expect(codesOf({ anchor: 5, focus: 5 })).toEqual([5])
  })

  it('move with the arrow keys, grow with Shift, and stop at the edges', () => {
    expect(movedBy('ArrowRight', false, { anchor: 0, focus: 0 })).toEqual({ anchor: 1, focus: 1 })
    expect(movedBy('ArrowDown', true, { anchor: 0, focus: 0xe3 })).toEqual({ anchor: 0, focus: 0xf3 })
    expect(movedBy('ArrowDown', true, { anchor: 0, focus: 0xf3 })).toEqual({ anchor: 0, focus: 0xf3 })
    expect(movedBy('Home', false, { anchor: 0, focus: 0xf3 })).toEqual({ anchor: 0xf0, focus: 0xf0 })
    expect(movedBy('x', false, { anchor: 0, focus: 0 })).toBeNull()
  })
})
