import { describe, expect, it } from 'vitest'
import type { Price, TokenUse } from '@shared/contract/agents'
import { priceTurn } from './priceTurn'

const price = (changes: Partial<Price> = {}): Price => ({
  model: '*',
  input: 2,
  output: 10,
  cachedRead: 0.2,
  cachedWrite: 4,
  date: '2026-11-01',
  source: 'a list',
  ...changes,
})
const use = (changes: Partial<TokenUse> = {}): TokenUse => ({
  model: 'fast-1',
  input: 1_000_000,
  output: 500_000,
  cacheRead: 2_000_000,
  cacheWrite: null,
  ...changes,
})
const agent = { preset: 'codex', model: null } as const

describe('the cost of a turn', () => {
  it('is the sum over its kinds of tokens, at the price of its model', () => {
    expect(priceTurn([price()], [use()], agent)).toEqual({ cost: 7.4, pricesOf: '2026-11-01' })
  })

  it('is the sum over its models, with the oldest date of their prices', () => {
    const prices = [price({ model: 'fast-*', date: '2026-10-01' }), price()]
    const uses = [use({ input: 0, output: 100_000, cacheRead: 0 }), use({ model: 'slow', cacheRead: 0 })]
    expect(priceTurn(prices, uses, agent)).toEqual({ cost: 8, pricesOf: '2026-10-01' })
  })

  it.each([
    ['its model has no price', [price({ model: 'slow' })], use()],
    ['a kind of tokens that it used has no price', [{ ...price(), cachedRead: undefined }].map(withoutRead), use()],
    ['its output is unknown', [price()], use({ output: null })],
    ['there are no prices', [], use()],
  ])('is unknown where %s', (_what, prices, used) => {
    expect(priceTurn(prices, [used], agent)).toBeUndefined()
  })

  it('needs no price of a kind that it did not use', () => {
    expect(priceTurn([withoutRead(price())], [use({ cacheRead: 0 })], agent)?.cost).toBe(7)
  })

  it.each([
    ['fast-1', 'fast-*', true],
    ['FAST-1', 'fast-1', true],
    ['fast', 'fast-*', false],
    ['fast-1-preview', 'fast*preview', true],
    ['aba', 'ab*ba', false],
    ['fast-1', '*', true],
    ['fast-1', 'fast', false],
  ])('%s is a model like %s: %s', (model, pattern, isLike) => {
    const found = priceTurn([price({ model: pattern })], [use({ model })], agent)
    expect(found !== undefined).toBe(isLike)
  })

  it('goes by the model that the agent is set to, else by its program, where the program names none', () => {
    const prices = [price({ model: 'set', input: 1 }), price({ model: 'codex', input: 3 })]
    const used = [use({ model: null, output: 0, cacheRead: 0 })]
    expect(priceTurn(prices, used, { ...agent, model: 'set' })?.cost).toBe(1)
    expect(priceTurn(prices, used, agent)?.cost).toBe(3)
  })
})

function withoutRead({
  cachedRead: _,
  ...others
}: Omit<Price, 'cachedRead'> & { readonly cachedRead?: unknown }): Price {
  return others
}
