import { describe, expect, it } from 'vitest'
import { latestEdit } from './latestEdit'

const edit = (project: number, time: number, more: Partial<Parameters<typeof latestEdit>[0][number]> = {}) => ({
  ...{ project, edit: time, time, run: 'r', undoneAt: null },
  request: { kind: 'action' as const, name: 'answer', target: '', values: {} },
  ...more,
})

describe('the edit that is undone next', () => {
  it('is the latest of all projects', () => {
    expect(latestEdit([edit(1, 5), edit(1, 3), edit(2, 8), edit(3, 1)])).toMatchObject({ project: 2, edit: 8 })
  })

  it('is none that was undone, and no undo', () => {
    const undone = [edit(1, 9, { undoneAt: 10 }), edit(1, 10, { request: { kind: 'undo', edit: 9 } })]
    expect(latestEdit([...undone, edit(2, 4)])).toMatchObject({ project: 2, edit: 4 })
    expect(latestEdit(undone)).toBeUndefined()
  })
})
