import { describe, expect, it } from 'vitest'
import { characterUse, NO_COLOUR, shapeOf } from './characterUse'

describe('how a screen uses its characters', () => {
  it('counts the cells of each, with the colour that most of them have', () => {
    const { cells, colours } = characterUse(Uint8Array.of(1, 1, 1, 2), Uint8Array.of(0xf5, 0x07, 0x05, 0x0e))
    expect([cells[1], cells[2], cells[3]]).toEqual([3, 1, 0])
    expect([colours[1], colours[2], colours[3]]).toEqual([5, 14, NO_COLOUR])
  })

  it('takes the shape of one of 64 in extended colour text', () => {
    expect([shapeOf('extendedText', 0xc1), shapeOf('text', 0xc1)]).toEqual([0x01, 0xc1])
  })
})
