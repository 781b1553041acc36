import { describe, expect, it } from 'vitest'
import { latestEdit, latestUndo } from './latestEdit'

const edit = (project: number, time: number, more: Partial<Parameters<typeof latestEdit>[0][number]> = {}) => ({
  project,
  edit: time,
  time,
  run: 'r',
  summary: 'Answered',
  undoneAt: null,
  request: { kind: 'action' as const, name: 'answer', target: '', values: {} },
  ...more,
})

const undo = (time: number, of: number, more: Partial<Parameters<typeof latestEdit>[0][number]> = {}) =>
  edit(1, time, { request: { kind: 'undo', edit: of }, summary: 'Undid: Answered', ...more })

describe('the edit that is undone next', () => {
  it('is the latest of all projects', () => {
    expect(latestEdit([edit(1, 5), edit(1, 3), edit(2, 8), edit(3, 1)])).toMatchObject({ project: 2, edit: 8 })
  })

  it('is none that was undone, and no undo', () => {
    const undone = [edit(1, 9, { undoneAt: 10 }), undo(10, 9)]
    expect(latestEdit([...undone, edit(2, 4)])).toMatchObject({ project: 2, edit: 4 })
    expect(latestEdit(undone)).toBeUndefined()
  })
})

describe('the undo that is taken back next', () => {
  it('is the latest, and after it the one before; what was redone can be undone again', () => {
    const undone = [edit(1, 1, { undoneAt: 4 }), edit(1, 2, { undoneAt: 3 }), undo(3, 2), undo(4, 1)]
    expect(latestUndo(undone)).toMatchObject({ edit: 4 })
    const redone = undo(5, 4, { summary: 'Undid: Undid: Answered' })
    const after = [...undone.slice(0, 3), undo(4, 1, { undoneAt: 5 }), redone]
    expect(latestUndo(after)).toMatchObject({ edit: 3 })
    expect(latestEdit(after)).toMatchObject({ edit: 5 })
  })

  it('is none once there is a new edit', () => {
    expect(latestUndo([edit(1, 1, { undoneAt: 2 }), undo(2, 1), edit(1, 3)])).toBeUndefined()
  })
})
