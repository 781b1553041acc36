import { describe, expect, it } from 'vitest'
import type { AgentRun } from '../contract/agents'
import type { RunNeed } from '../contract/orchestration'
import { attentionOf } from './attention'
import { htmlReport, printReport } from './printReport'
import { goneRunReport, runOfTurn, sinceTime, type Report, type RunReport } from './report'

const NOW = new Date(2026, 10, 23, 7, 30).getTime()
const need = (kind: RunNeed['kind'], title: string) => ({ kind, title, source: { file: '.meta/q.md', line: 3 } })
const one: RunReport = {
  key: 'metashell:tapes',
  title: 'Tape *tool*',
  system: 'metashell',
  state: 'waiting',
  isGone: false,
  tasks: { done: 2, total: 3 },
  turns: 3,
  agents: { claude: 2, codex: 1 },
  failures: { timeout: 1 },
  failed: [
    {
      run: '0abc',
      agent: 'claude',
      role: 'executor',
      task: '02',
      status: 'timeout',
      reason: 'No <b>answer</b>.',
      endedAt: NOW - 1,
    },
  ],
  worked: 90_000,
  cost: 1.5,
  estimated: 0,
  unpriced: 1,
  needs: [need('question', 'Which tapes?'), need('failure', 'It failed')],
  tokens: null,
  kinds: { input: null, output: null, cacheRead: null, cacheWrite: null },
  uncounted: 3,
  phases: [],
  checks: { passed: 2, failed: 1 },
  changes: {
    commits: [{ commit: 'c0ffee'.repeat(7).slice(0, 40), subject: 'feat: read', author: 'Ada', time: 1 }],
    hasMore: false,
    gone: 0,
    unrecorded: 0,
    difference: { files: 2, added: 10, deleted: 1 },
  },
}
const report = (run: Partial<RunReport> = {}): Report => ({
  since: NOW - 8 * 3_600_000,
  until: NOW,
  projects: [
    {
      project: 1,
      name: 'tapes',
      place: '/projects/tapes',
      runs: [{ ...one, ...run }],
      failedStarts: [
        { at: NOW - 60_000, system: 'metashell', place: 'apps/shop', message: 'No agent.', hint: 'Set one up.' },
      ],
    },
  ],
  otherTurns: 0,
})

describe('a report', () => {
  it('has failures first, then questions, then what each run did, in Markdown', () => {
    expect(printReport(report()).split('\n')).toEqual([
      '# Report from 2026-11-22 23:30 to 2026-11-23 07:30',
      '',
      '3 turns, $1.50, and 1 turn of unknown cost, 2 failures, 2 needs for you',
      '',
      '## Needs you',
      '',
      '- 2026-11-23 07:29 Start failed: No agent. Set one up. — apps/shop · tapes',
      '- executor 02 (claude): timed out. No \\<b\\>answer\\</b\\>. — Tape \\*tool\\* · tapes',
      '  - `0abc` log',
      '- failure: It failed — Tape \\*tool\\* · tapes',
      '  - `.meta/q.md:3`',
      '- question: Which tapes? — Tape \\*tool\\* · tapes',
      '  - `.meta/q.md:3`',
      '',
      '## tapes',
      '',
      '/projects/tapes',
      '',
      '### Tape \\*tool\\* (metashell, waiting)',
      '',
      '- Ran: 3 turns (1 timeout), 1.5 min of work',
      '- Tasks: 2 of 3 done',
      '- Agents: claude 2, codex 1',
      '- Checked: 2 passed, 1 failed',
      '- Tokens: unknown',
      '- Cost: $1.50, and 1 turn of unknown cost',
      '- Changed: 1 commit, 2 files, +10 -1',
      '  - `c0ffeec0ff` feat: read',
    ])
  })

  it('is one page of HTML, in which foreign text is text', () => {
    const page = htmlReport(report({ title: '<script>alert(1)</script>' }))
    expect(page).toContain('<h3>&lt;script&gt;alert(1)&lt;/script&gt; (metashell, waiting)</h3>')
    expect(page).toContain('No &lt;b&gt;answer&lt;/b&gt;.')
    expect(page).not.toMatch(/<script|src=|href=/)
    expect(page).toContain("default-src 'none'")
  })

  it('asks for attention for a failed turn until the same is done, and not for what the person stopped', () => {
    const turn = (run: string, status: 'success' | 'error' | 'stopped', task: string): AgentRun => ({
      run,
      agent: 'claude',
      preset: 'claude',
      purpose: '',
      model: null,
      state: 'ended',
      askedAt: 0,
      startedAt: 0,
      endedAt: 1,
      pid: 1,
      status,
      reason: '',
      exitCode: 1,
      tokens: null,
      cost: null,
      turns: null,
      stillAlive: [],
      output: { bytes: 0, lines: 0 },
      errors: { bytes: 0, lines: 0 },
      lastLine: '',
      turn: { project: 1, system: 'metashell', place: '', folder: '', role: 'executor', task },
    })
    const turns = [
      turn('4', 'success', '01'),
      turn('3', 'error', '02'),
      turn('2', 'stopped', '03'),
      turn('1', 'error', '01'),
    ]
    const { failed, failures } = goneRunReport(turns, 1)
    expect(failed.map(({ run }) => run)).toEqual(['3'])
    expect(failures).toEqual({ error: 2, stopped: 1 })
  })

  it('names what needs attention the same the next time', () => {
    const ids = (of: Report) => attentionOf(of).map(({ id }) => id)
    expect(new Set(ids(report())).size).toBe(4)
    expect(ids({ ...report(), until: NOW + 1 })).toEqual(ids(report()))
  })

  it('tells tokens by kind, and what each phase and task took, with what is unknown', () => {
    const kinds = { input: 800, output: 50, cacheRead: 200, cacheWrite: null }
    const use = { turns: 2, worked: 0, tokens: 1_050, kinds, uncounted: 0, cost: 0.5, estimated: 0.5, unpriced: 1 }
    const tasks = [{ ...use, task: '01', title: 'Read|write' }]
    const lines = printReport(report({ ...use, phases: [{ ...use, phase: 'p', title: 'First', tasks }] })).split('\n')
    expect(lines).toEqual(
      expect.arrayContaining([
        '- Tokens: 1,050 (800 in, 50 out, 200 from the cache, — into the cache)',
        '- Cost: ≈ $0.50 ($0.50 of it from your prices), and 1 turn of unknown cost',
        '| **First** | 2 | 1,050 | ≈ $0.50+ |',
        '| 01 Read\\|write | 2 | 1,050 | ≈ $0.50+ |',
      ]),
    )
  })

  it('says when nothing was committed, and when nobody can tell', () => {
    const none = { commits: [], hasMore: false, gone: 0, unrecorded: 0, difference: null }
    expect(printReport(report({ changes: none }))).toContain('- Changed: nothing committed')
    expect(printReport(report({ changes: null }))).toContain('- Changed: unknown')
    expect(printReport(report({ changes: { ...none, gone: 1, unrecorded: 2 } }))).toContain(
      '- Changed: nothing committed; 1 commit no longer in the repository; 2 turns of unknown commits',
    )
  })

  const turn = { project: 1, system: 'ncrew', place: 'crew', folder: 'crew', role: 'r', task: null } as const
  const runAt = (key: string, folder: string, id: string | null = null, archived = false) => {
    const system = key.startsWith('ncrew:') ? 'ncrew' : key.startsWith('maestro:') ? 'maestro' : 'metashell'
    return { key, folder, archived, id: { value: id, source: null }, system } as const
  }

  it('finds the run of a turn without a name by its folder or its place', () => {
    const crew = runAt('ncrew:crew', 'crew')
    expect(runOfTurn(turn, [runAt('metashell:crew/.meta/session.json', 'crew'), crew])).toBe(crew)
    expect(runOfTurn(turn, [runAt('ncrew:other', 'other')])).toBeUndefined()
    expect(runOfTurn(turn, [runAt('ncrew:crew', 'crew', null, true)])).toBeUndefined()
  })

  it('finds the run of a turn by its id, wherever it lies now and whatever has its place', () => {
    const active = '.gemini/state/active-session.md'
    const ofSession = { ...turn, system: 'maestro' as const, place: active, run: { id: 'a', title: null } }
    const next = runAt(`maestro:${active}`, '', 'b')
    const archived = runAt('maestro:.gemini/state/archive/a.md', '', 'a', true)
    expect(runOfTurn(ofSession, [next, archived])).toBe(archived)
    expect(runOfTurn(ofSession, [next])).toBeUndefined()
    const copied = runAt('maestro:copy/state/active-session.md', 'copy', 'a')
    const own = runAt(`maestro:${active}`, '', 'a')
    expect(runOfTurn(ofSession, [copied, own])).toBe(own)
  })

  it('still tells of a run that is no longer there', () => {
    expect(printReport(report({ isGone: true, state: null }))).toContain(
      '### Tape \\*tool\\* (metashell, no longer there)',
    )
  })
})

describe('the time from which on it reports', () => {
  it.each([
    ['90m', NOW - 5_400_000],
    ['8h', NOW - 28_800_000],
    ['2d', NOW - 172_800_000],
    ['2026-11-22T00:00:00Z', Date.UTC(2026, 10, 22)],
    ['2027-01-01', undefined],
    ['soon', undefined],
  ])('%s', (text, time) => {
    expect(sinceTime(text, NOW)).toBe(time)
  })
})
