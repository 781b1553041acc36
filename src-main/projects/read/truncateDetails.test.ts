import { describe, expect, it } from 'vitest'
import { truncateDetails } from './truncateDetails'

describe('what a format has of its own', () => {
  it('is cut to the bounds of the contract, and says how much was', () => {
    const { details, more } = truncateDetails({
      list: Array<number>(600).fill(1),
      text: 'x'.repeat(30_000),
      fact: { value: NaN, source: { file: 'y'.repeat(2_000), pointer: 'z'.repeat(2_000) }, written: 'w'.repeat(2_000) },
    })
    expect(more).toBe(100 + 4)
    expect(details.list).toHaveLength(500)
    expect(
      [details.text, details.fact.source.file, details.fact.source.pointer, details.fact.written].map(
        ({ length }) => length,
      ),
    ).toEqual([20_000, 1_000, 1_000, 500])
    expect(details.fact.value).toBeNull()
  })

  it('is bounded as a whole', () => {
    const { details } = truncateDetails({ list: Array.from({ length: 500 }, () => 'x'.repeat(20_000)) })
    expect(details.list.join('').length).toBeLessThan(2_500_000)
  })

  it('stays as it was where it stood', () => {
    const before = { list: [1, 2], text: 'abc', nothing: null }
    expect(truncateDetails(before)).toEqual({ details: before, more: 0 })
    const long = { text: 'x'.repeat(30_000) }
    truncateDetails(long)
    expect(long.text).toHaveLength(30_000)
  })
})
