import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { crewState } from '../../../test/support/crewState'
import { applyEdits } from '../../formats/finding'
import { trackTurn } from './track'

const text = (iteration: string, cost: string, end = '\n') =>
  [
    '---',
    'type: project',
    `current_iteration: ${iteration} # turns`,
    `cost_so_far: ${cost}`,
    'mine: [a, b]',
    '---',
    '# X',
    '',
  ].join(end)
const track = (index: string, iteration: number | null, cost: number | null, paid: number | null) => {
  const { edits, remainder } = trackTurn(crewState({ 'INDEX.md': index, 'tasks.md': '' }), { iteration, cost }, paid)
  return { text: applyEdits(index, edits), remainder }
}

describe('after a turn', () => {
  it('one more iteration is written when the expert left the count as it was, and not otherwise', () => {
    expect(track(text('7', '0.00'), 7, 0, null).text).toBe(text('8', '0.00'))
    expect(track(text('8', '0.00'), 7, 0, null).text).toBe(text('8', '0.00'))
    expect(track(text('0', '0.00'), 7, 0, null).text).toBe(text('0', '0.00'))
  })

  it('the cost is written with two decimals when it was told and the expert left it, and not otherwise', () => {
    expect(track(text('7', '0.00'), 6, 0, 0.5).text).toBe(text('7', '0.50'))
    expect(track(text('7', '2.31'), 6, 2.31, 0.25).text).toBe(text('7', '2.56'))
    expect(track(text('7', '2.31'), 6, 2.31, null).text).toBe(text('7', '2.31'))
    expect(track(text('7', '3.00'), 6, 2.31, 0.25).text).toBe(text('7', '3.00'))
  })

  it('a turn that is recorded again, after its host was killed in between, is counted once', () => {
    const first = track(text('7', '2.31'), 7, 2.31, 0.254)
    const again = track(first.text, 7, 2.31, 0.254)
    expect(again).toEqual(first)
    expect(first.text).toBe(text('8', '2.56'))
    expect(first.remainder).toBeCloseTo(0.004, 6)
  })

  it('quotes, comments, line ends and a byte order mark stay', () => {
    expect(track(`\uFEFF${text('"7"', "'1.00'", '\r\n')}`, 7, 1, 0.5).text).toBe(
      `\uFEFF${text('"8"', "'1.50'", '\r\n')}`,
    )
  })

  it('an INDEX.md without these fields, without front matter or broken stays as it is', () => {
    for (const index of [
      '# X\n',
      '---\ntype: project\n---\n',
      '| Iteration | 7 |\n',
      '---\ncurrent_iteration: 7\nbroken: [\n---\n',
      '---\ncurrent_iteration: 7\n',
    ]) {
      expect(track(index, 7, 0, 1).text).toBe(index)
    }
    expect(
      trackTurn(crewState({ 'tasks.md': '', '.noodlecrew/CREW.md': '' }), { iteration: 1, cost: 1 }, 1).edits,
    ).toEqual([])
  })

  it('many small costs add up to what was paid, to a cent', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 0.5, noNaN: true }), { maxLength: 60 }), (costs) => {
        let index = text('0', '0.00')
        let remainder = 0
        for (const [turn, paid] of costs.entries()) {
          const before = Number(/cost_so_far: (\S+)/.exec(index)?.[1])
          ;({ text: index, remainder } = track(index, turn, before, paid + remainder))
        }
        const told = Number(/cost_so_far: (\S+)/.exec(index)?.[1])
        expect(Math.abs(told - costs.reduce((sum, cost) => sum + cost, 0))).toBeLessThan(0.011)
        expect(index).toContain(`current_iteration: ${costs.length} # turns`)
      }),
    )
  })
})
