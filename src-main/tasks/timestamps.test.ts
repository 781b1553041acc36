import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatTimestamp, parseTimestamp } from './timestamps'

describe('a timestamp of the state files', () => {
  it('is written in UTC as YYYY-MM-DDTHH-mm-ssZ', () => {
    expect(formatTimestamp(Date.UTC(2025, 9, 27, 11, 42, 3, 999))).toBe('2025-10-27T11-42-03Z')
  })

  it.each([
    ['the spec’s form', '2025-10-27T11-42-03Z', Date.UTC(2025, 9, 27, 11, 42, 3)],
    ['c64bridge’s ISO form', '2026-11-21T05:55:42.429Z', Date.UTC(2026, 10, 21, 5, 55, 42, 429)],
    ['the oldest form, a number', 1761567219484, 1761567219484],
  ])('is read in %s', (_form, value, time) => {
    expect(parseTimestamp(value)).toBe(time)
  })

  it.each([null, undefined, '', 'now', '2025-10-27', '2025-13-27T11-42-03Z', '2025-10-27T11-42-03', NaN, 1e20, {}])(
    'is not made out of %j',
    (value) => {
      expect(parseTimestamp(value)).toBeNull()
    },
  )

  it('is read as it was written, to the second', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 253402300799 }), (seconds) => {
        expect(parseTimestamp(formatTimestamp(seconds * 1000))).toBe(seconds * 1000)
      }),
    )
  })
})
