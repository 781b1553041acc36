import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { bounded, cut } from './bounded'
import { fact } from './fact'

const text = z.string().max(20_000)
const schema = z.strictObject({
  list: z.array(z.number()).max(500).readonly(),
  text,
  fact: fact(z.number()),
  either: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('one'), word: z.string().max(4) }),
    z.strictObject({ kind: z.literal('two'), free: z.string() }),
    z.strictObject({ kind: z.enum(['three', 'four']), word: z.string().max(4) }),
  ]),
  some: z.string().max(2).optional(),
})
const small: z.infer<typeof schema> = {
  list: [1, 2],
  text: 'abc',
  fact: { value: null, source: null },
  either: { kind: 'two', free: 'as it is' },
}

describe('bounded', () => {
  it('cuts texts and lists to the limits of the schema, and counts what it cut', () => {
    const { value, more } = bounded(schema, {
      list: Array<number>(600).fill(1),
      text: 'x'.repeat(30_000),
      fact: { value: NaN, source: { file: 'y'.repeat(2_000), pointer: 'z'.repeat(2_000) }, written: 'w'.repeat(2_000) },
      either: { kind: 'one', word: '12345' },
      some: 'ab',
    })
    expect(more).toBe(100 + 4 + 1)
    expect(value.list).toHaveLength(500)
    const { source, written } = value.fact
    expect([value.text, source?.file, source?.pointer, written].map((cut) => cut?.length)).toEqual([
      20_000, 1_000, 1_000, 500,
    ])
    expect(value.fact.value).toBeNull()
    expect(value.either).toEqual({ kind: 'one', word: '123…' })
    expect(() => schema.parse(value)).not.toThrow()
  })

  it('finds the variant of a union also by one of several names', () => {
    const { value } = bounded(schema, { ...small, either: { kind: 'four', word: '12345' } })
    expect(value.either).toEqual({ kind: 'four', word: '123…' })
  })

  it('bounds all texts together', () => {
    const texts = z.array(text).max(500)
    const { value } = bounded(texts, Array<string>(500).fill('x'.repeat(20_000)), 2_000_000)
    expect(value.join('').length).toBeLessThan(2_500_000)
  })

  it('leaves what fits, and the value that it was given', () => {
    expect(bounded(schema, small)).toEqual({ value: small, more: 0 })
    const long = { ...small, text: 'x'.repeat(30_000) }
    bounded(schema, long)
    expect(long.text).toHaveLength(30_000)
  })

  it('leaves out what the schema does not name', () => {
    const withMore = { ...small, secret: 1 }
    expect(bounded(schema, withMore).value).not.toHaveProperty('secret')
  })
})

describe('cut', () => {
  it('ends with … where something is missing', () => {
    expect([cut('abcd', 4), cut('abcde', 4)]).toEqual(['abcd', 'abc…'])
  })
})
