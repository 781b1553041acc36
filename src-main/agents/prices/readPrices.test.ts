import { describe, expect, it } from 'vitest'
import { readPrices } from './readPrices'

const good = `
- model: fast-*
  input: 3
  output: 15.5
  cachedRead: 0.3
  date: 2026-11-01
  source: the list of the service
`

describe('a file of prices', () => {
  it('has a price for each model, with its date and source', () => {
    expect(readPrices('prices.yaml', good)).toEqual({
      prices: [
        {
          model: 'fast-*',
          input: 3,
          output: 15.5,
          cachedRead: 0.3,
          date: '2026-11-01',
          source: 'the list of the service',
        },
      ],
    })
  })

  it.each(['', '# only a comment\n', '[]'])('may have none: %j', (text) => {
    expect(readPrices('prices.yaml', text)).toEqual({ prices: [] })
  })

  it.each([
    ['a price that is no number', good.replace('3\n', 'three\n'), 'prices.yaml:3: input has to be a number.'],
    ['a negative price', good.replace('15.5', '-1'), 'prices.yaml:4: output has to be at least 0.'],
    ['a field that is missing', good.replace(/ {2}source.*\n/, ''), 'prices.yaml:2: source has to be text.'],
    [
      'a field that is spelt wrong',
      good.replace('cachedRead', 'cached'),
      'prices.yaml:2: there is no “cached” in a price.',
    ],
    [
      'a date that is none',
      good.replace('2026-11-01', 'today'),
      'prices.yaml:6: date has to be a date such as 2026-11-01.',
    ],
    ['something else than a list', 'model: x', 'prices.yaml:1: this has to be a list.'],
  ])('is told with its line where it has %s', (_what, text, problem) => {
    expect(readPrices('prices.yaml', text)).toEqual({ problem })
  })

  it('is told with its line where it is no YAML', () => {
    expect(readPrices('prices.yaml', '- model: "x\n')).toMatchObject({
      problem: expect.stringMatching(/^prices\.yaml:\d+: /) as string,
    })
  })
})
