import { expect, it } from 'vitest'
import { isSameCommit } from './commitName'

const hash = '0123456789abcdef0123456789abcdef01234567'

it.each([
  [hash, hash, true],
  ['0123456', hash, true],
  [hash, '0123ABC', false],
  ['0123456789AB', hash, true],
  ['', hash, false],
  ['012', hash, false],
  ['fixed it', 'fixed it', true],
])('the commits %j and %j are one: %j', (one, other, isOne) => {
  expect(isSameCommit(one, other)).toBe(isOne)
})
