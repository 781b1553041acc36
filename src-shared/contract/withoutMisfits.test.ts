import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { parseWithoutMisfits } from './withoutMisfits'

const entry = z.strictObject({ id: z.string().regex(/^\P{Cc}+$/u), bytes: z.instanceof(Uint8Array).optional() })
const schema = z.strictObject({
  revision: z.int(),
  entries: z.array(entry),
  places: z.array(z.int()),
  inner: z.strictObject({ entries: z.array(entry) }).optional(),
})

describe('a value with lists', () => {
  it('that fits is parsed as it is', () => {
    const value = { revision: 1, entries: [{ id: 'a', bytes: Uint8Array.of(1) }], places: [1] }
    expect(parseWithoutMisfits(schema, value)).toEqual({ value, left: [] })
  })

  it('loses the entries that do not fit, alone, and says which', () => {
    const bytes = Uint8Array.of(1, 2)
    const value = {
      revision: 1,
      entries: [{ id: 'a\nb' }, { id: 'c', bytes }, { id: 7 }],
      places: [],
      inner: { entries: [{ id: '' }, { id: 'd' }] },
    }
    const { value: rest, left } = parseWithoutMisfits(schema, value)
    expect(rest).toEqual({ revision: 1, entries: [{ id: 'c', bytes }], places: [], inner: { entries: [{ id: 'd' }] } })
    expect(left.map((line) => line.split(':')[0])).toEqual(['entries.0.id', 'entries.2.id', 'inner.entries.0.id'])
  })

  it.each([
    ['something beside its lists', { revision: 'one', entries: [], places: [] }],
    ['a number among others, whose place counts', { revision: 1, entries: [], places: [1, 'two'] }],
    ['no list', { revision: 1, entries: null, places: [] }],
  ])('is refused whole for %s', (_what, value) => {
    expect(() => parseWithoutMisfits(schema, value)).toThrow(z.ZodError)
  })
})
