import { expect, it } from 'vitest'
import { MAX_TURN_COMMITS } from '@shared/contract/loops'
import { shownTurn } from './shownTurn'

const hash = (number: number) => String(number).padStart(40, '0')

it('The newest commits of a turn are shown, and how many more there are', () => {
  const record = {
    role: 'executor',
    task: '02',
    log: 'a',
    startedAt: 0,
    endedAt: 1,
    left: [],
    uncommitted: ['a.txt'],
    before: { head: null, branch: 'main' },
    after: { head: hash(1), branch: null },
    commits: Array.from({ length: MAX_TURN_COMMITS + 2 }, (_, index) => hash(index)),
    elsewhere: [hash(100), hash(101)],
  }
  const turn = shownTurn(record, [record])
  expect(turn).toMatchObject({
    moreCommits: 2,
    elsewhere: [hash(101), hash(100)],
    uncommitted: ['a.txt'],
    branchBefore: 'main',
    branchAfter: null,
  })
  expect([turn.commits.length, turn.commits[0]]).toEqual([MAX_TURN_COMMITS, hash(MAX_TURN_COMMITS + 1)])
})
