import { describe, expect, it } from 'vitest'
import { logRows } from './logRows'

const steps = [{ line: 0 }, { line: 2 }, { line: 3 }]
const told = (open: readonly number[], total: number) => {
  const rows = logRows(steps, (step) => open.includes(step), total)
  return Array.from({ length: rows.count }, (_, row) => rows.at(row))
}

describe('the rows of a log', () => {
  it('are its lines where it has no steps', () => {
    const rows = logRows([], () => false, 3)
    expect([rows.count, rows.at(2), rows.rowOf(1), rows.stepOf(1)]).toEqual([3, { line: 2 }, 1, undefined])
  })

  it('are one for each step, and the lines of those that are open', () => {
    expect(told([], 6)).toEqual([{ step: 0 }, { step: 1 }, { step: 2 }])
    expect(told([0, 2], 6)).toEqual([
      { step: 0 },
      { line: 0 },
      { line: 1 },
      { step: 1 },
      { step: 2 },
      { line: 3 },
      { line: 4 },
      { line: 5 },
    ])
  })

  it('leave out a step whose lines are not counted yet', () => {
    expect(told([1], 3)).toEqual([{ step: 0 }, { step: 1 }, { line: 2 }])
  })

  it('tell where a line is once its step is open', () => {
    const folded = logRows(steps, () => false, 6)
    const step = folded.stepOf(4)
    expect(step).toBe(2)
    const opened = logRows(steps, (index) => index === step, 6)
    expect(opened.at(folded.rowOf(4))).toEqual({ line: 4 })
  })
})
