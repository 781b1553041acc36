import { expect, it } from 'vitest'
import { recommendedOption } from './recommendedOption'

it.each([
  ['the one that says so', ['Frames', 'Seconds (recommended)'], 'Seconds (recommended)'],
  ['the first where none says so', ['Frames', 'Seconds'], 'Frames'],
  ['none of none', [], undefined],
])('The recommended option is %s', (_, options, expected) => {
  expect(recommendedOption(options)).toBe(expected)
})
