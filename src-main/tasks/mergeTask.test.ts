import { describe, expect, it } from 'vitest'
import type { JsonObject } from '@shared/json'
import type { OwnPart } from './entry'
import { mergeTask, type KnownTask, type TaskVersions } from './mergeTask'

const folder = '/home/tasks/0001_read'
const listed: JsonObject = {
  id: '0001_read',
  name: 'read',
  type: 'foreground',
  status: 'running',
  folder: 'tasks/0001_read',
}
const own = (revision: number): OwnPart => ({ machine: 'builtin', owner: null, revision })
const nothing: TaskVersions = {
  id: '0001_read',
  listed,
  folder,
  file: undefined,
  notices: [],
  known: undefined,
  runsHere: false,
}
const known = (revision: number, entry: JsonObject = { ...listed, iterations: revision }): KnownTask => ({
  entry,
  own: own(revision),
  orphan: null,
  folder,
  notices: [],
  listed,
})

describe('the versions of a task', () => {
  it('take what our task.json says over what is listed, and keep the fields of others', () => {
    const file = { entry: { id: '0001_read', status: 'completed' }, own: own(3) }
    const task = mergeTask({ ...nothing, listed: { ...listed, theirs: 1 }, file })
    expect(task.entry).toMatchObject({ status: 'completed', theirs: 1 })
    expect(task.own?.revision).toBe(3)
  })

  it('of another program are its entry, whatever its task.json says', () => {
    const task = mergeTask({ ...nothing, file: { entry: { id: '0001_read', status: 'completed' }, own: null } })
    expect(task.entry).toBe(listed)
    expect(task.own).toBeNull()
  })

  it('count by their revision, and from memory while the task runs here or its file cannot be read', () => {
    const file = { entry: { ...listed, iterations: 5 }, own: own(5) }
    const iterations = (versions: Partial<TaskVersions>) =>
      mergeTask({ ...nothing, file, ...versions }).entry.iterations
    expect(iterations({ known: known(4) })).toBe(5)
    expect(iterations({ known: known(6) })).toBe(6)
    expect(iterations({ known: known(4), runsHere: true })).toBe(4)
    expect(iterations({ known: known(4), file: 'task.json:1:1: broken' })).toBe(4)
  })

  it('keep the order of the fields in task.json where nothing is listed', () => {
    const entry = { id: '0001_read', name: 'read', startedAt: '2026-01-01T00-00-00Z', folder: 'tasks/0001_read' }
    const task = mergeTask({ ...nothing, listed: undefined, file: { entry, own: own(1) } })
    expect(Object.keys(task.entry).slice(0, 4)).toEqual(Object.keys(entry))
  })

  it('keep the listed entry itself where nothing differs', () => {
    expect(mergeTask({ ...nothing, file: { entry: { ...listed }, own: own(1) } }).entry).toBe(listed)
  })

  it('tell what is missing', () => {
    expect(mergeTask({ ...nothing, folder: null }).orphan).toBe('noFolder')
    const orphan = mergeTask({ ...nothing, listed: undefined, folder: '/home/tasks/background/0007_poll' })
    expect(orphan.orphan).toBe('noEntry')
    expect(orphan.entry).toMatchObject({ type: 'background', status: 'unknown' })
  })

  it('tell what is odd', () => {
    const task = mergeTask({ ...nothing, listed: { ...listed, folder: '../elsewhere' }, file: 'task.json is odd' })
    expect(task.notices).toHaveLength(2)
    expect(task.notices[1]).toBe('task.json is odd')
  })
})
