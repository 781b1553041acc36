import { describe, expect, it } from 'vitest'
import { findAmong } from '@shared/c64/labels/names'
import { addWatch, MAX_WATCHES, readWatches, WatchedValues, type Watch } from './watchList'

const watch = (text: string): Watch => ({ text, format: 'hex', reaction: 'notify' })

describe('watches', () => {
  it('are added once each, and kept in the order in which they were', () => {
    const watches = addWatch(addWatch([], ' @$d020 '), 'A == 5')
    expect(watches.map(({ text }) => text)).toEqual(['@$d020', 'A == 5'])
    expect(() => addWatch(watches, '@$d020')).toThrow('watched already')
    expect(() => addWatch(watches, 'A ==')).toThrow('column 5')
    expect(() => addWatch(watches, 'BORDER')).toThrow('always the same')
    const many = Array.from({ length: MAX_WATCHES }, (_, address) => watch(`@${address}`))
    expect(() => addWatch(many, 'X')).toThrow(`There are ${MAX_WATCHES} watches`)
  })

  it('are read from what was stored, without those that cannot be', () => {
    const good = watch('@$d020')
    expect(readWatches([good, { ...good, text: 'A ==' }, { ...good, format: 'octal' }, null, 1e12])).toEqual([good])
    for (const stored of [undefined, null, 'A', {}, Array(MAX_WATCHES + 1).fill(good)])
      expect(readWatches(stored)).toEqual([])
  })

  it('keep their last 20 values, and tell when one is no longer 0', () => {
    const values = new WatchedValues()
    const look = (x: number, known = true) =>
      values.look(
        [watch('X'), watch('X > 30')],
        { register: () => x, peek: () => 0 },
        ({ registers }) => known && registers.includes('X'),
      )
    expect(look(99, false)).toEqual([])
    expect(values.valuesOf('X')).toEqual([])
    for (let x = 1; x <= 30; x++) expect(look(x)).toEqual([])
    expect(look(30)).toEqual([])
    expect(look(31)).toEqual([watch('X > 30')])
    expect(look(32)).toEqual([])
    expect(values.valuesOf('X')).toEqual(Array.from({ length: 20 }, (_, index) => 13 + index))
    expect(values.valuesOf('X > 30')).toEqual([0, 1])
    values.forget()
    expect(look(40)).toEqual([])
  })

  it('know the labels of the program, and say why they have no value without it', () => {
    const names = findAmong([{ name: 'lives', address: 0x0c40 }])
    const watches = addWatch([], '@lives', names)
    expect(() => addWatch([], '@lives')).toThrow('“lives” is no register')
    expect(readWatches(watches)).toEqual(watches)
    const valuesWith = (values: WatchedValues) => {
      values.look(watches, { register: () => 0, peek: (_bank, address) => address & 0xff }, () => true)
      return [values.valuesOf('@lives'), values.problemOf('@lives')]
    }
    expect(valuesWith(new WatchedValues(names))).toEqual([[0x40], null])
    expect(valuesWith(new WatchedValues())).toEqual([[], '“lives” is no register, flag or name of an address.'])
  })

  it('know what they need of a machine', () => {
    const values = new WatchedValues()
    expect(values.needsOf('@(X + $0400) == word(ram:$14) and not Z')).toEqual({
      registers: ['X', 'FL'],
      banks: ['cpu', 'ram'],
    })
  })
})
