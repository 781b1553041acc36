/** What an agent's work changes in a session. It reads like the rules of specification 003, and of the skill that it names. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { NOW, runFiles } from '../../../../test/support/actions'
import { Values } from '../../edit/offer'
import { readFrontMatter } from '../../text/frontMatter'
import { plain } from '../../text/located'
import { StateText } from '../../text/stateFile'
import { openSession } from '../actions/maestroRun'
import { maestro } from '../format'
import { phaseStatuses, type PhaseStatus } from '../schema'
import { openRun } from '../state'
import { newSession, readPhaseLines } from './newSession'
import { planChanges, type PhaseChange, type TokenUse } from './phaseChange'

const yaml = readFileSync(resolve('test/fixtures/spec003/active-session.md'), 'utf8')
const json = readFileSync(resolve('test/fixtures/spec003/active-session-1.6.md'), 'utf8')
const now = new Date(NOW).toISOString()
const file = '.gemini/state/active-session.md'

const fresh = newSession({
  task: 'Tapes',
  design: null,
  plan: null,
  time: '2026-03-02T09:00:00.000Z',
  taken: [],
  phases: readPhaseLines('Reader: coder\nNotes: technical_writer'),
}).text

function change(text: string, changes: readonly PhaseChange[], tokens: readonly TokenUse[] = [], path = file): string {
  const files = runFiles(maestro, { [path]: text })
  const run = openSession(files, openRun(files), [])
  if (!run) throw new Error('The session cannot be read.')
  const plan = planChanges(run, changes, tokens, new Values({}, NOW))
  const after = plan.changes[0]?.after ?? ''
  const broken = maestro.validate(runFiles(maestro, { [path]: after })).filter(({ severity }) => severity === 'error')
  expect(broken).toEqual([])
  return after
}

const values = (text: string) => {
  const { root } = readFrontMatter(new StateText('s.md', text)).document
  return root ? plain(root) : undefined
}
const phase = (text: string, index: number) => (values(text) as { phases: unknown[] }).phases[index]

const context = {
  key_interfaces_introduced: ['read(tape)'],
  patterns_established: [],
  integration_points: [],
  assumptions: ['one tape'],
  warnings: [],
}

describe('the status of a phase', () => {
  const from = (status: PhaseStatus) => fresh.replace('status: "pending"', `status: "${status}"`)
  const legal: Readonly<Record<PhaseStatus, readonly PhaseStatus[]>> = {
    pending: ['in_progress', 'skipped'],
    in_progress: ['completed', 'failed'],
    completed: [],
    failed: ['in_progress'],
    skipped: [],
  }
  it.each(phaseStatuses.flatMap((one) => phaseStatuses.map((other) => [one, other] as const)))(
    'from %s to %s is as specified',
    (one, other) => {
      const attempt = () => change(from(one), [{ phase: '1', status: other }])
      if (legal[one].includes(other)) expect(phase(attempt(), 0)).toMatchObject({ status: other })
      else expect(attempt).toThrow('cannot go from')
    },
  )
})

describe('a phase', () => {
  it('does not start before those that it waits for', () => {
    const waiting = fresh.replace(/blocked_by: \[\](?![^]*blocked_by)/, 'blocked_by: [1]')
    expect(() => change(waiting, [{ phase: '2', status: 'in_progress' }])).toThrow('blocked by phase 1')
  })

  const started = change(fresh, [{ phase: '2', status: 'in_progress' }])

  it('is the current one once it has started', () => {
    expect(values(started)).toMatchObject({ current_phase: 2, updated: now })
    expect(phase(started, 1)).toMatchObject({ status: 'in_progress', started: now, completed: null })
    expect(started).toContain('## Phase 2: Notes (in_progress)')
  })

  it('keeps what its agent reports, without doubles', () => {
    const done = change(started, [
      {
        phase: '2',
        status: 'completed',
        files: { created: ['docs/a.md', 'docs/a.md'], modified: ['README.md'] },
        context,
        log: { agent: 'technical_writer', output: '## Task Report\n- **Status**: success', validation: 'pass' },
      },
    ])
    expect(phase(done, 1)).toMatchObject({
      status: 'completed',
      completed: now,
      files_created: ['docs/a.md'],
      files_modified: ['README.md'],
      downstream_context: context,
    })
    expect(done).toContain(
      [
        '## Phase 2: Notes (completed)',
        '',
        '### Technical Writer Output',
        '',
        '> ## Task Report',
        '> - **Status**: success',
        '',
        '### Files Changed',
        '',
        '- Created: `docs/a.md`, `docs/a.md`',
        '- Modified: `README.md`',
        '',
        '### Downstream Context',
        '',
        '- Key Interfaces Introduced: read(tape)',
        '- Assumptions: one tape',
        '',
        '### Validation Result',
        '',
        'pass',
      ].join('\n'),
    )
    const more = change(done, [{ phase: '2', files: { created: ['docs/b.md', 'docs/a.md'] } }])
    expect(phase(more, 1)).toMatchObject({ files_created: ['docs/a.md', 'docs/b.md'] })
  })

  it('has each failure as an error of its own, and its retries counted', () => {
    const error = (message: string) => ({ agent: 'coder', type: 'timeout' as const, message })
    const fail = (text: string, message: string) =>
      change(text, [{ phase: '2', status: 'failed', errors: [error(message)] }])
    const once = fail(started, 'too: long')
    const again = change(once, [{ phase: '2', status: 'in_progress', resolution: 'Tried again' }])
    expect(phase(again, 1)).toMatchObject({ retry_count: 1, completed: null, started: now })
    const twice = fail(again, 'too long again')
    const entry = (message: string, resolution: string, resolved: boolean) => ({
      agent: 'coder',
      timestamp: now,
      type: 'timeout',
      message,
      resolution,
      resolved,
    })
    expect(phase(twice, 1)).toMatchObject({
      status: 'failed',
      retry_count: 1,
      errors: [entry('too: long', 'Tried again', true), entry('too long again', 'pending', false)],
    })
  })

  it('keeps comments and everything else as it was', () => {
    const text = fresh.replace('parallel: false', 'parallel: false # alone')
    const after = change(text, [{ phase: '1', files: { created: ['a'] } }])
    expect(after).toBe(
      text.replace('files_created: []', 'files_created: ["a"]').replace(/updated: ".*"/, `updated: "${now}"`),
    )
  })

  it('must be there', () => {
    expect(() => change(fresh, [{ phase: '9' }])).toThrow('no phase 9')
  })
})

describe('tokens', () => {
  const use = (agent: string, input: number): TokenUse => ({ agent, input, output: 10, cached: 0 })

  it('are added to the totals and to their agent', () => {
    const once = change(fresh, [], [use('coder', 5), use('tester', 1), use('coder', 2)])
    expect(values(once)).toMatchObject({
      token_usage: {
        total_input: 8,
        total_output: 30,
        by_agent: { coder: { input: 7, output: 20, cached: 0 }, tester: { input: 1, output: 10, cached: 0 } },
      },
    })
    expect(values(change(once, [], [use('coder', 3)]))).toMatchObject({
      token_usage: { total_input: 11, by_agent: { coder: { input: 10, output: 30 } } },
    })
  })

  it('that are unknown are no 0', () => {
    const unknown = { input: null, output: null, cached: null }
    expect(change(fresh, [], [{ agent: 'coder', ...unknown }])).toContain('by_agent: {}')
    const known = change(fresh, [], [{ agent: 'coder', ...unknown, input: 5 }])
    expect(values(known)).toMatchObject({ token_usage: { total_input: 5, total_cached: 0, by_agent: {} } })
    const later = change(change(known, [], [use('coder', 1)]), [], [{ agent: 'coder', ...unknown, output: 2 }])
    expect(values(later)).toMatchObject({ token_usage: { by_agent: { coder: { input: 1, output: 12, cached: 0 } } } })
  })

  it('stay as they are where nothing was used', () => {
    expect(change(fresh, [], [{ agent: 'coder', input: 0, output: 0, cached: 0 }])).toContain('by_agent: {}')
  })
})

describe('the syntax of the file', () => {
  it('stays that of the template', () => {
    expect(() => change(yaml, [{ phase: '3', status: 'in_progress', errors: [] }])).not.toThrow()
  })

  it('stays JSON where it is JSON', () => {
    const key = 'writer'
    const after = change(
      json,
      [{ phase: key, errors: [{ agent: 'coder', type: 'runtime', message: 'x' }], files: { created: ['n.ts'] } }],
      [{ agent: 'newcomer', input: 1, output: 2, cached: 3 }],
      'docs/maestro/state/active-session.md',
    )
    expect(readFrontMatter(new StateText('s.md', after)).syntax).toBe('json')
    expect(JSON.stringify(values(after))).toContain('"newcomer":{"input":1,"output":2,"cached":3}')
  })
})
