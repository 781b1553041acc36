import { expect, it } from 'vitest'
import { durationText } from './durationText'

it('shows a duration in as many parts as its length asks for, and nothing for one that is not known', () => {
  expect([400, 12_000, 185_000, 7_385_000, 352_800_000, null].map(durationText)).toEqual([
    '0 s',
    '12 s',
    '3:05',
    '2:03:05',
    '4 d 2 h',
    '',
  ])
})
