import { expect, it } from 'vitest'
import { turnFindings } from './turnFindings'

const turn = (...uncommitted: string[]) =>
  JSON.stringify({
    role: 'executor',
    task: '02',
    log: '',
    startedAt: 0,
    endedAt: 1,
    commits: [],
    elsewhere: [],
    left: [],
    before: { head: null, branch: null },
    after: { head: null, branch: null },
    uncommitted,
  })
const found = (...turns: string[]) =>
  turnFindings(
    new Map([
      ['turns', JSON.stringify({ first: 1, last: turns.length })],
      ...turns.map((text, index) => [`turn ${index + 1}`, text] as const),
    ]),
    'metashell',
    '.meta/session.json',
  )

it('What the newest turn left uncommitted is a finding', () => {
  expect(found(turn(), turn('a.txt', 'b.txt'))).toMatchObject([
    {
      file: '.meta/session.json',
      rule: 'metashell/uncommitted',
      severity: 'warning',
      found: expect.stringContaining('a.txt, b.txt') as string,
    },
  ])
})

it.each([[[]], [[turn('a.txt'), turn()]], [['{']]])(
  'Nothing is found where it left nothing, or none is known',
  (turns) => {
    expect(found(...turns)).toEqual([])
  },
)
