import { describe, expect, it } from 'vitest'
import { metashell } from '../../formats/metashell/format'
import { locate } from '../../formats/metashell/state'
import { runFiles } from '../../../test/support/actions'
import { snapshotOf } from './snapshot'
import { keepCheck } from '../../formats/hostChecks'
import { printStatus, sessionStatus } from './status'

const context = '# Project: Notes\n\n## Phases\n1. Store\n2. Search\n'
const session = (changes: object) =>
  JSON.stringify({
    sessionId: 's',
    status: 'executing',
    currentPhase: 1,
    gapCount: 1,
    variables: {},
    plan: {
      currentTaskIdx: 1,
      tasks: [
        { id: '01', title: 'Schema', status: 'complete', dependencies: [] },
        { id: '02', title: 'Index', status: 'pending', dependencies: ['01'] },
      ],
    },
    ...changes,
  })

function statusOf(changes: object, remembered?: ReadonlyMap<string, string>) {
  const files = runFiles(metashell, { '.meta/context.md': context, '.meta/session.json': session(changes) }, remembered)
  const reading = metashell.read(files)
  if (!reading) throw new Error('no run')
  return sessionStatus(reading.view, snapshotOf(locate(files)))
}

describe('the status of a session', () => {
  it('says where it is and that a run would continue', () => {
    const status = statusOf({})
    expect(status).toMatchObject({ phase: '1', phases: 2, done: 1, tasks: 2, replans: 1, end: null })
    expect(printStatus(status).split('\n')).toEqual([
      'Project: Notes',
      'Phase: 1 of 2: Store',
      'Progress: 1/2 tasks',
      'Re-plans: 1/2',
      'Status: executing',
      'Next task: 02 Index',
    ])
  })

  it('says how a run would end at once, and what it needs', () => {
    const asked = { status: 'halted', variables: { pending_checkpoint: { message: 'Which?', task_id: '02' } } }
    expect(statusOf(asked)).toMatchObject({ needs: ['Which?'], end: { outcome: 'waiting' } })
    expect(statusOf({ status: 'nonsense' }).end).toMatchObject({ outcome: 'failed' })
  })
  it('says what was checked', () => {
    const check = {
      command: 'npm test',
      result: 'failed',
      exitCode: 1,
      claimed: true,
      endedAt: 1,
      log: 'a-1',
      output: '',
    } as const
    const remembered = new Map(Object.entries(keepCheck('01', check)) as [string, string][])
    expect(printStatus(statusOf({}, remembered))).toContain('Check: 01 agent says passed, host: exit code 1: npm test')
  })
})
