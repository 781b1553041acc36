import { describe, expect, it } from 'vitest'
import { printReport, runOfTurn, sinceTime, type Report, type RunReport } from './report'

const NOW = new Date(2026, 10, 23, 7, 30).getTime()
const one: RunReport = {
  ...{
    title: 'Tape *tool*',
    system: 'metashell',
    state: 'waiting',
    isGone: false,
    tasks: { done: 2, total: 3 },
    turns: 3,
    agents: { claude: 2, codex: 1 },
    failures: { timeout: 1 },
  },
  ...{ worked: 90_000, cost: 1.5, estimated: 0, unpriced: 1, needs: ['Which tapes?'] },
  ...{
    tokens: null,
    kinds: { input: null, output: null, cacheRead: null, cacheWrite: null },
    uncounted: 3,
    phases: [],
  },
  checks: { passed: 2, failed: 1 },
  changes: {
    commits: [{ commit: 'c0ffee'.repeat(7).slice(0, 40), subject: 'feat: read' }],
    ...{ hasMore: false, gone: 0, unrecorded: 0, difference: { files: 2, added: 10, deleted: 1 } },
  },
}
const report = (run: Partial<RunReport> = {}): Report => ({
  since: NOW - 8 * 3_600_000,
  until: NOW,
  projects: [{ name: 'tapes', place: '/projects/tapes', runs: [{ ...one, ...run }] }],
  otherTurns: 0,
})

describe('a report', () => {
  it('says what ran, what changed, what it cost and what waits, in Markdown', () => {
    const lines = printReport(report()).split('\n')
    expect(lines[0]).toBe('# Report from 2026-11-22 23:30 to 2026-11-23 07:30')
    expect(lines).toContain('3 turns, $1.50, and 1 turn of unknown cost, 1 need for you.')
    expect(lines.slice(lines.indexOf('## tapes'))).toEqual([
      ...['## tapes', '', '/projects/tapes', '', '### Tape \\*tool\\* (metashell, waiting)', ''],
      '- Ran: 3 turns (1 timeout), 1.5 min of work',
      '- Agents: claude 2, codex 1',
      '- Checked: 2 passed, 1 failed',
      '- Tokens: unknown',
      '- Cost: $1.50, and 1 turn of unknown cost',
      '- Changed: 1 commit, 2 files, +10 -1',
      '  - c0ffeec0ff feat: read',
      '- Needs you:',
      '  - Which tapes?',
    ])
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
