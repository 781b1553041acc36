import { describe, expect, it } from 'vitest'
import { parseRuns, pointsOf, seriesOf } from './runValues'

const lines = (...values: unknown[]) =>
  values.map((value, index) => JSON.stringify({ run: index + 1, time: 'x', at: index * 100, value })).join('\n')

describe('the values of runs', () => {
  it('are read from whole lines only: what is cut, damaged or without a value is left out', () => {
    const text = `t":1,"value":{}}\n${lines({ bytes: '00' })}\n\n{"run":3,"at":5,"omittedCharacters":9}\n{"run":4,"at`
    expect(parseRuns(text, 1000)).toEqual([{ run: 1, time: 1000, value: { bytes: '00' } }])
  })

  it('of bytes are charted byte by byte, and numbers and truths as they are', () => {
    const runs = parseRuns(
      lines({ address: '0x0400', hits: 3, found: false, bytes: '0aff' }, { found: true, bytes: '0b' }),
      0,
    )
    const series = seriesOf(runs)
    expect(series).toEqual([
      { name: 'bytes', kind: 'bytes', length: 2 },
      { name: 'hits', kind: 'number', length: 1 },
      { name: 'found', kind: 'number', length: 1 },
    ])
    const [bytes, , found] = series
    if (!bytes || !found) throw new Error('none')
    expect(pointsOf(runs, bytes, 0)).toEqual([
      { time: 0, value: 10 },
      { time: 100, value: 11 },
    ])
    expect(pointsOf(runs, bytes, 1)).toEqual([{ time: 0, value: 255 }])
    expect(pointsOf(runs, found, 0).map(({ value }) => value)).toEqual([0, 1])
  })

  it('that are texts cannot be charted', () => {
    expect(seriesOf(parseRuns(lines({ rows: ['READY.'] }, 'text', null), 0))).toEqual([])
  })
})
