import { expect, it } from 'vitest'
import { z } from 'zod'
import { describeIssues } from './describeIssues'

const schema = z.strictObject({
  length: z.int().min(1).max(10),
  bank: z.enum(['ram', 'rom']),
  name: z.string().min(1),
  time: z.string().refine((text) => text.includes(':'), { error: 'a time such as 12:30' }),
})
const words = (value: unknown) => describeIssues(schema.safeParse(value).error?.issues ?? [])

it.each([
  [{ length: 0, bank: 'ram', name: 'a', time: '1:0' }, 'length has to be at least 1'],
  [{ length: 11, bank: 'ram', name: 'a', time: '1:0' }, 'length has to be at most 10'],
  [
    { length: 'x', bank: 'attic', name: '', time: '1:0' },
    'length has to be a number; bank has to be ram or rom; name has to be text that is not empty',
  ],
  [{ length: 1, bank: 'ram', name: 'a', time: 'noon' }, 'time: a time such as 12:30'],
  [{ length: 1, bank: 'ram', name: 'a', time: '1:0', colour: 2 }, 'colour is not known'],
])('what is wrong with %j is said as: %s', (value, said) => expect(words(value)).toBe(said))
