import { describe, expect, it } from 'vitest'
import { typeKey, type Typing } from './typing'

const afterFirst: Typing = { address: 0xd020, digit: 'A' }

describe('typing a byte', () => {
  it('takes two digits of either case', () => {
    expect(typeKey(null, 0xd020, 'a')).toEqual({ typing: afterFirst, typed: null })
    expect(typeKey(afterFirst, 0xd020, '9')).toEqual({ typing: null, typed: { address: 0xd020, value: 0xa9 } })
  })

  it('ends after one digit with Enter', () => {
    expect(typeKey(afterFirst, 0xd020, 'Enter')).toEqual({ typing: null, typed: { address: 0xd020, value: 0x0a } })
  })

  it.each(['Escape', 'Backspace'])('is dropped by %s without a write', (key) => {
    expect(typeKey(afterFirst, 0xd020, key)).toEqual({ typing: null, typed: null })
  })

  it('starts anew at another address', () => {
    expect(typeKey(afterFirst, 0xd021, '1')).toEqual({ typing: { address: 0xd021, digit: '1' }, typed: null })
  })

  it.each(['g', 'Enter', 'Escape', 'F1', 'ArrowLeft', ' '])('has nothing to do with %s', (key) => {
    expect(typeKey(null, 0xd020, key)).toBeNull()
  })
})
