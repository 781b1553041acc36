import { describe, expect, it } from 'vitest'
import { chartPoints, gapsBetween, pointAt } from './chartPoints'

const point = (time: number, value: number) => ({ time, value, low: value, high: value })
const drawn = (...args: Parameters<typeof chartPoints>) => chartPoints(...args).map(({ time, value }) => [time, value])

describe('the points of a chart', () => {
  it('hold the last value up to the end', () => {
    expect(drawn([point(0, 1), point(10, 2)], [], 30)).toEqual([
      [0, 1],
      [10, 2],
      [30, 2],
    ])
    expect(drawn([], [{ from: 0, to: 9 }], 30)).toEqual([])
  })

  it('break at a gap, and go on behind it with the value that was read then', () => {
    expect(drawn([point(0, 1), point(50, 2)], [{ from: 10, to: 50 }], 60)).toEqual([
      [0, 1],
      [10, 1],
      [10, null],
      [50, 2],
      [60, 2],
    ])
  })

  it('go on with the same value where it did not change over the gap', () => {
    expect(drawn([point(0, 1)], [{ from: 10, to: 50 }], 60)).toEqual([
      [0, 1],
      [10, 1],
      [10, null],
      [50, 1],
      [60, 1],
    ])
  })

  it('show nothing before the first', () => {
    expect(drawn([point(40, 1)], [{ from: 0, to: 40 }], 60)).toEqual([
      [40, 1],
      [60, 1],
    ])
  })
})

describe('the point at a moment', () => {
  const at = (time: number) => pointAt([point(10, 1), point(50, 2)], [{ from: 20, to: 50 }], time)?.value
  it('is the last one before, and none in a gap or before the first', () => {
    expect([at(9), at(10), at(19), at(30), at(50), at(900)]).toEqual([undefined, 1, 1, undefined, 2, 2])
  })
})

describe('gaps', () => {
  it('are where the next run was due and none came', () => {
    expect(gapsBetween([0, 100, 210, 600, 700], 100)).toEqual([{ from: 310, to: 600 }])
    expect(gapsBetween([0], 100)).toEqual([])
  })
})
