import { describe, expect, it } from 'vitest'
import type { JsonObject } from '@shared/json'
import type { StoredTask } from './mergeTask'
import { planRepair, salvageEntries } from './registryRepair'

const entry = (id: string, more: JsonObject = {}): JsonObject => ({
  id,
  name: 'read',
  operation: 'read',
  args: { text: 'a } in “{”, and \\"quotes\\"' },
  status: 'completed',
  ...more,
})
const text = (...entries: JsonObject[]) => JSON.stringify({ tasks: entries }, null, 2)
const task = (raw: JsonObject, isOurs: boolean): StoredTask => ({
  entry: raw,
  own: isOurs ? { machine: 'builtin', owner: null, revision: 1 } : null,
  orphan: null,
  folder: null,
  notices: [],
})

describe('a damaged tasks.json', () => {
  it('gives back the entries that are whole, wherever it is torn or overwritten', () => {
    const [one, two, three] = [entry('0001_read'), entry('0002_read'), entry('0003_read')]
    const whole = text(one, two, three)
    expect(salvageEntries(whole.slice(0, whole.indexOf('0003_read') + 40))).toEqual([one, two])
    expect(salvageEntries(whole.slice(whole.indexOf('0001_read') + 4))).toEqual([two, three])
    expect(salvageEntries(whole.replace('"0002_read"', '"0002_\u0000'))).toEqual([one, three])
    expect(salvageEntries(`${whole}\n${whole.slice(50, 90)}`)).toEqual([one, two, three])
  })

  it('gives nothing for what is no list of tasks, in a short time', () => {
    for (const other of [
      '',
      'null',
      '[]',
      '{"a": {"id": 5}}',
      '{"id": "x"}',
      '{'.repeat(500_000),
      '"{'.repeat(300_000),
    ])
      expect(salvageEntries(other)).toEqual([])
  })

  it('is rebuilt from the tasks that are known, whole entries of others, and their folders, in the order of ids', () => {
    const damaged = text(
      entry('0002_theirs', { nextRunAt: 'x' }),
      entry('0001_ours', { status: 'running', theirs: 1 }),
    ).slice(0, -3)
    const plan = planRepair(damaged, [
      ['0001_ours', task(entry('0001_ours'), true)],
      ['0002_theirs', task(entry('0002_theirs', { status: 'unknown' }), false)],
      ['0003_found', task(entry('0003_found'), false)],
      ['0004_empty', task(entry('0004_empty', { status: 'unknown' }), false)],
      ['10000_ours', task(entry('10000_ours'), true)],
    ])
    expect(plan.entries.map(({ entry: { id, status }, source }) => [id, status, source])).toEqual([
      ['0001_ours', 'completed', 'folder'],
      ['0002_theirs', 'completed', 'file'],
      ['0003_found', 'completed', 'folder'],
      ['10000_ours', 'completed', 'folder'],
    ])
    expect(plan.entries[0]?.entry).toMatchObject({ theirs: 1 })
    expect(plan.leftOut).toEqual(['0004_empty'])
  })
})
