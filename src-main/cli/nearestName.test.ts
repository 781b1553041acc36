import { expect, it } from 'vitest'
import { didYouMean, nearestName } from './nearestName'

const names = ['read', 'write', 'recording', 'registers', '--address', '--at']

it.each([
  ['raed', 'read'],
  ['wriet', 'write'],
  ['record', 'recording'],
  ['--adress', '--address'],
  ['--addr', '--address'],
  ['fly', undefined],
  ['x', undefined],
  ['', undefined],
])('“%s” is near to %s', (typed, name) => {
  expect(nearestName(typed, names)).toBe(name)
})

it('A name that nobody can have meant is not suggested', () => {
  expect(didYouMean('raed', names)).toBe(' Did you mean read?')
  expect(didYouMean('fly', names)).toBe('')
})
