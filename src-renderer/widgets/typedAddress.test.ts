import { describe, expect, it } from 'vitest'
import { parseAddress, parseTypedAddress } from '@shared/c64/address'
import { respell, respellAddress, understood, understoodAddress } from './typedAddress'

describe('what is understood of an address that is being typed', () => {
  it.each([
    ['0427', '$0427 = 1063'],
    ['1024', '$1024 = 4132'],
    ['+1024', '$0400 = 1024'],
    ['$d020', 'VIC.BORDER'],
    ['border', '$D020'],
    ['0400-07e7', '$0400-$07E7 (1000 bytes)'],
    ['0400+1000', '$0400-$07E7 (1000 bytes)'],
  ])('is shown of %j', (text, shown) => {
    expect(understood([text])).toContain(shown)
  })

  it.each(['', '$', 'bord', '10000000', '0400-'])('is nothing of %j', (text) => {
    expect(understood([text])).toBe('')
  })
})

it('One address with a name may be so far from it, where a range would have so many bytes', () => {
  expect(understood(['border+1'])).toContain('$D020')
  expect(understoodAddress('border+1')).toBe('$D021 = 53281 = VIC.BG0')
  expect(understoodAddress('$0400-$07e7')).toBe('')
  expect(respellAddress('0427', parseTypedAddress, parseAddress)).toBe('$0427')
  expect(respellAddress('border+1', parseTypedAddress, parseAddress)).toBe('border+1')
})

describe('an address that goes where digits alone are decimal', () => {
  it.each([
    ['0427', '$0427'],
    ['1024', '$1024'],
    ['0400-07e7', '$0400-$07E7'],
    ['53280', '53280'],
    ['$0400', '$0400'],
    ['border', 'border'],
    ['9', '9'],
    ['nonsense', 'nonsense'],
  ])('%j is written as %j', (typed, sent) => {
    expect(respell(typed, parseTypedAddress, parseAddress)).toBe(sent)
  })

  it.each([
    ['1024', '$0400'],
    ['1024-2023', '$0400-$07E7'],
    ['a2', 'a2'],
  ])('and %j of a file as %j into a field', (stored, typed) => {
    expect(respell(stored, parseAddress, parseTypedAddress)).toBe(typed)
  })
})
