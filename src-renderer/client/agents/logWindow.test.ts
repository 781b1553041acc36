import { describe, expect, it } from 'vitest'
import { heightOf, lastTop, LINE_PX, scrollOf, topOf } from './logWindow'

describe('the lines of a log that are to be seen', () => {
  it('follow the scroller line by line where it is to scale', () => {
    const window = { total: 1_000, rows: 20 }
    const range = heightOf(window) - 20 * LINE_PX
    expect([topOf(window, 0, range), topOf(window, 5 * LINE_PX, range), topOf(window, range, range)]).toEqual([
      0, 5, 980,
    ])
    expect([scrollOf(window, 0, range), scrollOf(window, 5, range), scrollOf(window, 980, range)]).toEqual([
      0,
      5 * LINE_PX,
      range,
    ])
  })

  it('reach the last of ten million by a scroller that is not', () => {
    const window = { total: 10_000_000, rows: 20 }
    const range = heightOf(window) - 20 * LINE_PX
    expect(heightOf(window)).toBe(8_000_000)
    expect(topOf(window, range, range)).toBe(lastTop(window))
    for (const top of [0, 1, 777_777, 9_999_000])
      expect(Math.abs(topOf(window, scrollOf(window, top, range), range) - top)).toBeLessThanOrEqual(1)
  })
})
