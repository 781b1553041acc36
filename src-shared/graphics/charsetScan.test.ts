import { describe, expect, it } from 'vitest'
import { CHARSET_BYTES, charsetCandidates } from './charsetScan'

const memory = new Uint8Array(4 * CHARSET_BYTES)
memory.fill(0xff, CHARSET_BYTES, 2 * CHARSET_BYTES)
for (let at = 0; at < CHARSET_BYTES; at++) memory[2 * CHARSET_BYTES + at] = (at * 37) & 0xff

describe('the search for character sets', () => {
  it('finds memory with many characters of some variety, and neither blank nor filled memory', () => {
    expect(charsetCandidates(memory)).toEqual([2 * CHARSET_BYTES])
  })

  it('finds more with lower thresholds', () => {
    expect(charsetCandidates(memory, { minNonEmptyChars: 1, minEntropy: 0 })).toEqual([
      CHARSET_BYTES,
      2 * CHARSET_BYTES,
    ])
  })
})
