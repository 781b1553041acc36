import { describe, expect, it } from 'vitest'
import { unshiftListing } from './listing'

describe('a pasted text', () => {
  it('in capitals alone is a listing, typed without SHIFT', () => {
    expect(unshiftListing('10 PRINT "HELLO"\n20 GOTO 10')).toBe('10 print "hello"\n20 goto 10')
  })
  it('with small letters keeps its capitals', () => {
    expect(unshiftListing('print "Hello"')).toBe('print "Hello"')
  })
})
