import { expect, it } from 'vitest'
import type { TurnRecord } from '@shared/turnRecord'
import { commitsOfTurns } from './commitsOfTurns'

const hash = (number: number) => String(number).padStart(40, '0')
const at = { head: null, branch: 'main' }
const record = (log: string, commits: readonly number[], more: Partial<TurnRecord> = {}): TurnRecord => ({
  role: 'executor',
  task: null,
  log,
  startedAt: 0,
  endedAt: 1,
  before: at,
  after: at,
  left: [],
  uncommitted: [],
  commits: commits.map(hash),
  elsewhere: [],
  ...more,
})

it('The commits of turns are those that their records have, the newest first', () => {
  const records = [record('a', [1, 2]), record('b', [3]), record('c', [4], { elsewhere: [hash(5)] })]
  expect(commitsOfTurns(records, ['a', 'c', 'd'])).toEqual({
    commits: [hash(5), hash(4), hash(2), hash(1)],
    moreCommits: 0,
    unrecorded: 1,
  })
})

it('What several agents made at once counts for each of them', () => {
  const sharer = (log: string) => ({ role: 'coder', task: null, log })
  const together = record('', [7], { shared: [sharer('a'), sharer('b')] })
  const records = [record('a', []), record('b', []), together]
  expect(commitsOfTurns(records, ['b'])).toMatchObject({ commits: [hash(7)], unrecorded: 0 })
  expect(commitsOfTurns(records, ['c'])).toMatchObject({ commits: [], unrecorded: 1 })
})
