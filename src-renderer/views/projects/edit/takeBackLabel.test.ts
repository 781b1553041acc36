import { expect, it } from 'vitest'
import { takeBackLabel } from './takeBackLabel'

it.each([
  ['Task 3: done', 'Undo “Task 3: done”'],
  ['Undid: Task 3: done', 'Redo “Task 3: done”'],
  ['Undid: Undid: Task 3: done', 'Undo “Task 3: done”'],
  ['Answered “Which format?”', 'Undo answer to “Which format?”'],
  ['Undid: Answered “Which format?”', 'Redo answer to “Which format?”'],
])('after “%s” the button says %s', (summary, label) => {
  expect(takeBackLabel(summary)).toBe(label)
})

it('is short enough for a button', () => {
  expect(takeBackLabel('x'.repeat(200)).length).toBeLessThan(60)
})
