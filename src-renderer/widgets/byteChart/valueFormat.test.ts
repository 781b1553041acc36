import { expect, it } from 'vitest'
import { formatValue } from './valueFormat'

it.each([
  ['hex', '$0A'],
  ['decimal', '10'],
  ['bits', '%00001010'],
] as const)('a byte is written as %s', (format, text) => {
  expect(formatValue(10, format)).toBe(text)
})
