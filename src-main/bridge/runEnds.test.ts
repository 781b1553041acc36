import { describe, expect, it, vi } from 'vitest'
import { noticeEvents } from '@shared/contract/notices'
import type { Payload } from '@shared/contract/contract'
import type { Loop } from '@shared/contract/loops'
import { summaryOf, type RunReport } from '@shared/report/report'
import { RunEnds } from './runEnds'

const report: RunReport = {
  title: 'Sample',
  system: 'metashell',
  state: 'done',
  isGone: false,
  tasks: { done: 5, total: 5 },
  turns: 7,
  agents: { claude: 7 },
  failures: {},
  worked: 90_000,
  cost: 1.2,
  estimated: 0,
  unpriced: 0,
  needs: [],
  key: 'metashell:a',
  failed: [],
  checks: { passed: 0, failed: 0 },
  tokens: null,
  kinds: { input: null, output: null, cacheRead: null, cacheWrite: null },
  uncounted: 7,
  phases: [],
  changes: {
    commits: ['a', 'b', 'c'].map((name) => ({ commit: name.repeat(40), subject: name, author: '', time: 1 })),
    hasMore: false,
    gone: 0,
    unrecorded: 0,
    difference: { files: 2, added: 10, deleted: 1 },
  },
}
const need = (title: string) => ({ kind: 'question' as const, title, source: { file: 'q.md', line: 1 } })
const loop: Loop = {
  project: 1,
  system: 'metashell',
  place: 'apps/shop',
  state: 'running',
  outcome: null,
  step: null,
  agents: [],
  startedAt: 1,
  since: 1,
  message: 'At work.',
  hint: null,
  lines: 0,
}

const done: Loop = { ...loop, state: 'ended', outcome: 'done', message: 'All is done.' }

function ends(given: Partial<RunReport> = {}) {
  const raised: Payload<'notice.raised'>[] = []
  const notices = new RunEnds({
    isOpen: () => true,
    runOf: () => Promise.resolve(undefined),
    reportOf: () => Promise.resolve({ ...report, ...given }),
    raise: (notice) => raised.push(noticeEvents['notice.raised'].parse(notice)),
    log: (message) => expect.fail(message),
  })
  return { notices, raised }
}

describe('the end of a run', () => {
  it('is told once, of a loop that was seen at work', async () => {
    const { notices, raised } = ends()
    const ended: Loop = { ...loop, state: 'ended', outcome: 'done', message: 'All is done.' }
    notices.loops([ended])
    notices.loops([loop])
    notices.loops([ended])
    notices.loops([ended])
    await vi.waitFor(() => expect(raised).toHaveLength(1))
    expect(raised[0]).toEqual({
      title: 'A run is done',
      body: 'apps/shop · Meta-Shell: All is done.',
      about: { kind: 'report' },
    })
  })

  it('is not told to the person who paused or stopped it', async () => {
    const { notices, raised } = ends()
    for (const state of ['pausing', 'stopping'] as const) {
      notices.loops([loop, { ...loop, state }])
      notices.loops([{ ...loop, state: state === 'pausing' ? 'paused' : 'stopped' }])
    }
    notices.loops([loop])
    notices.loops([{ ...loop, state: 'paused', message: 'Stopped after 2 turns, as requested.' }])
    await vi.waitFor(() => expect(raised).toHaveLength(1))
    expect(raised[0]?.title).toBe('A run stopped as requested')
  })

  /** @param openFor for how many times that this is asked it is open */
  async function endedWhere(openFor: number): Promise<{ raised: unknown[]; logged: unknown[][]; asked: number }> {
    const [raised, logged]: [unknown[], unknown[][]] = [[], []]
    let asked = 0
    const notices = new RunEnds({
      isOpen: () => ++asked <= openFor,
      runOf: () => (openFor === 2 ? Promise.resolve(undefined) : Promise.reject(new Error('Project 1 is not open.'))),
      reportOf: () => Promise.resolve(report),
      raise: (notice) => raised.push(notice),
      log: (...line) => logged.push(line),
    })
    notices.loops([loop])
    notices.loops([done])
    await new Promise(setImmediate)
    return { raised, logged, asked }
  }

  it('is not told where its project is open nowhere, as of a run on the command line', async () => {
    expect(await endedWhere(0)).toEqual({ raised: [], logged: [], asked: 1 })
    // Closed while the end was being read.
    expect(await endedWhere(1)).toEqual({ raised: [], logged: [], asked: 2 })
    expect(await endedWhere(2)).toMatchObject({ raised: [{ title: 'A run is done' }], logged: [] })
  })

  it('that cannot be told is a line of the log, without a stack', async () => {
    const { raised, logged } = await endedWhere(3)
    expect([raised, logged]).toEqual([
      [],
      [[expect.stringMatching(/^The end of apps\/shop could not be notified: Something went wrong/)]],
    ])
  })

  it('reads as one line', () => {
    expect(summaryOf('done', report)).toBe('done, 5 of 5 tasks, 3 commits, $1.20')
    expect(summaryOf('stopped', { ...report, changes: null, needs: [need('Which tapes?')] })).toBe(
      'stopped, waits: Which tapes?, 5 of 5 tasks, $1.20',
    )
    expect(summaryOf('stopped', { ...report, needs: [need('One?'), need('Two?')], tasks: { done: 0, total: 0 } })).toBe(
      'stopped, waits: 2 needs, 3 commits, $1.20',
    )
  })
})
