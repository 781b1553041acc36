import { describe, expect, it } from 'vitest'
import type { ConfigurationItem } from '@shared/contract/machineStorage'
import { describeRange, parseSetting } from './settingText'

const item = (more: Partial<ConfigurationItem>): ConfigurationItem => ({
  item: 'Drive Bus ID',
  value: 8,
  choices: null,
  minimum: 8,
  maximum: 11,
  ...more,
})

describe('what is typed for an item of the configuration', () => {
  it('is a whole number in its range where the item is a number', () => {
    expect(parseSetting(item({}), ' 11 ')).toEqual({ value: 11 })
    expect(parseSetting(item({ minimum: null, maximum: null }), '-3')).toEqual({ value: -3 })
    for (const text of ['', '7', '12', '8.5', 'nine', '0x9', '8 9', '1e1']) {
      expect(parseSetting(item({}), text)).toEqual({ problem: 'Enter a whole number from 8 to 11.' })
    }
    expect(parseSetting(item({ maximum: null }), '1')).toEqual({ problem: 'Enter a whole number from 8.' })
    expect(parseSetting(item({ minimum: null }), '12')).toEqual({ problem: 'Enter a whole number up to 11.' })
    expect(parseSetting(item({ minimum: null, maximum: null }), 'x')).toEqual({ problem: 'Enter a whole number.' })
  })

  it('is taken as it is where the item is a text', () => {
    for (const text of ['', ' 12 ', 'Ultimate'])
      expect(parseSetting(item({ value: 'before' }), text)).toEqual({ value: text })
  })
})

describe('the range of an item', () => {
  it('is told for numbers only', () => {
    expect(describeRange(item({}))).toBe('from 8 to 11')
    expect(describeRange(item({ minimum: null, maximum: null }))).toBe('')
    expect(describeRange(item({ value: 'text' }))).toBe('')
  })
})
