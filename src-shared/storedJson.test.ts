import { expect, it } from 'vitest'
import { z } from 'zod'
import { storedJson } from './storedJson'

it.each([
  [undefined, undefined],
  ['[1,2]', [1, 2]],
  ['["a"]', undefined],
  ['[1,', undefined],
])('of %j the numbers are %j', (text, numbers) => {
  expect(storedJson(text, z.array(z.number()))).toEqual(numbers)
})
