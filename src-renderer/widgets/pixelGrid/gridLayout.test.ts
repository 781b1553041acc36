import { describe, expect, it } from 'vitest'
import { cellAt, frameCell, layoutOf } from './gridLayout'

const cell = { width: 24, height: 21 }

describe('the layout of a grid', () => {
  it('has as many columns as fit, by fours where there are more than four', () => {
    expect(layoutOf(cell, 28 * 7, 1024)).toEqual({ columns: 4, rows: 256, pitchX: 28, pitchY: 25 })
    expect([3, 4, 8, 35].map((fitting) => layoutOf(cell, 28 * fitting + 5, 1024).columns)).toEqual([3, 4, 8, 32])
    expect(layoutOf(cell, 3, 5)).toMatchObject({ columns: 1, rows: 5 })
  })

  it('knows the cell at a place, and none beside them', () => {
    const layout = layoutOf(cell, 28 * 4, 6)
    expect(cellAt(layout, 30, 26, 6)).toBe(5)
    expect([cellAt(layout, 70, 26, 6), cellAt(layout, 113, 0, 6), cellAt(layout, -1, 0, 6)]).toEqual([null, null, null])
  })

  it('frames a cell without touching it', () => {
    const words = new Uint32Array(8 * 8)
    frameCell(words, 8, 3 * 8 + 3, { width: 2, height: 2 }, 1, 1)
    frameCell(words, 8, 3 * 8 + 3, { width: 2, height: 2 }, 2, 2)
    const rows = Array.from({ length: 8 }, (_, y) => [...words.subarray(y * 8, y * 8 + 8)].join(''))
    expect(rows).toEqual([
      '00000000',
      '02222220',
      '02111120',
      '02100120',
      '02100120',
      '02111120',
      '02222220',
      '00000000',
    ])
  })
})
