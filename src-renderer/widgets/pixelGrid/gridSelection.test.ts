import { describe, expect, it } from 'vitest'
import { extendTo, keyTarget, pickedInOrder, selectAll, selectOnly, toggleAt, withinCount } from './gridSelection'

const grid = { columns: 4, count: 10, pageRows: 2 }
const target = (key: string, cursor: number, isCtrl = false) => keyTarget(key, isCtrl, cursor, grid)

describe('keys in a grid', () => {
  it('move by one cell and by one row, and stay within the grid', () => {
    expect(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'].map((key) => target(key, 5))).toEqual([4, 6, 1, 9])
    expect(['ArrowLeft', 'ArrowUp'].map((key) => target(key, 0))).toEqual([0, 0])
    expect(['ArrowRight', 'ArrowDown'].map((key) => target(key, 9))).toEqual([9, 9])
    expect(target('ArrowDown', 7)).toBe(7)
  })

  it('go to the ends of the row and of the grid', () => {
    expect([target('Home', 6), target('End', 4), target('End', 8)]).toEqual([4, 7, 9])
    expect([target('Home', 6, true), target('End', 4, true)]).toEqual([0, 9])
  })

  it('go by pages, in the same column', () => {
    expect([target('PageDown', 1), target('PageDown', 5), target('PageUp', 9), target('PageUp', 6)]).toEqual([
      9, 9, 1, 2,
    ])
  })

  it('are left alone where they mean nothing', () => {
    expect(target('a', 1)).toBeUndefined()
    expect(keyTarget('End', false, 0, { ...grid, count: 0 })).toBeUndefined()
  })
})

describe('a selection in a grid', () => {
  it('is extended from where it began, both ways', () => {
    const extended = extendTo(selectOnly(4), 6)
    expect(pickedInOrder(extended)).toEqual([4, 5, 6])
    expect(pickedInOrder(extendTo(extended, 2))).toEqual([2, 3, 4])
  })

  it('takes single cells in and out, but never the last one', () => {
    const two = toggleAt(selectOnly(1), 8)
    expect(pickedInOrder(two)).toEqual([1, 8])
    expect(pickedInOrder(toggleAt(two, 1))).toEqual([8])
    expect(pickedInOrder(toggleAt(selectOnly(1), 1))).toEqual([1])
  })

  it('loses what is no longer there', () => {
    expect(withinCount(extendTo(selectOnly(2), 5), 4)).toEqual({ cursor: 3, anchor: 2, picked: new Set([2, 3]) })
    expect(pickedInOrder(withinCount(selectOnly(5), 2))).toEqual([1])
    expect(pickedInOrder(selectAll(selectOnly(1), 3))).toEqual([0, 1, 2])
  })
})
