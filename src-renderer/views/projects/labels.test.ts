import { describe, expect, it } from 'vitest'
import type { Loop } from '@shared/contract/loops'
import type { Project, Run, RunNeed } from '@shared/contract/orchestration'
import { visibleText } from '../../widgets/visibleText'
import {
  agoText,
  blockedText,
  claimOf,
  commitsText,
  followNeed,
  inboxOf,
  inFormerOrder,
  listRows,
  meterText,
  meterTone,
  needAt,
  processText,
  rowKey,
  shareOf,
  silenceOf,
  stateMeaning,
  sourceText,
  stateOf,
  unblocksText,
  type ListRow,
} from './labels'

const unknown = { value: null, source: null }
const known = <T>(value: T) => ({ value, source: null })

const run = (key: string, more: Partial<Run> = {}): Run => ({
  key,
  system: 'tuning',
  folder: '',
  archived: false,
  id: unknown,
  title: unknown,
  state: known('running' as const),
  reason: unknown,
  updatedAt: unknown,
  currentPhase: unknown,
  writtenAt: null,
  writtenBy: null,
  work: { done: 0, failed: 0, total: 0 },
  story: { phases: { done: 0, total: 0 }, phase: null },
  needs: [],
  needCount: 0,
  warnings: 0,
  findings: { error: 0, warning: 0, info: 0 },
  stale: null,
  revision: 1,
  ...more,
})

const idleLoop: Loop = {
  project: 1,
  system: 'metashell',
  place: '',
  state: 'ended',
  outcome: null,
  step: null,
  agents: [],
  startedAt: 0,
  since: 0,
  message: '',
  hint: null,
  lines: 0,
}

const project = (number: number, more: Partial<Project> = {}): Project => ({
  project: number,
  name: `p${number}`,
  place: `/p${number}`,
  state: 'open',
  watch: 'system',
  trusted: false,
  problems: [],
  openedAt: number,
  runs: 0,
  files: 0,
  ...more,
})

const need = (title: string, since: number | null): RunNeed => ({
  kind: 'question',
  title,
  detail: '',
  options: [],
  source: { file: 'q.md' },
  since: { value: since, source: null },
  unblocks: [],
})

describe('the words of the projects view', () => {
  it('say how long ago something was written', () => {
    const ago = (seconds: number) => agoText(1_000_000_000, 1_000_000_000 + seconds * 1000)
    expect([3, 40, 200, 7_200, 400_000, -3_600].map(ago)).toEqual([
      'just now',
      '40 s ago',
      '3 min ago',
      '2 h ago',
      '4 days ago',
      'in the future',
    ])
  })

  it('call a state a claim, and one that cannot be read so', () => {
    expect(stateOf(run('a'))).toEqual({ word: 'says running', tone: 'ok' })
    expect(stateOf(run('a', { archived: true })).tone).toBe('muted')
    expect(stateOf(run('a', { state: unknown }))).toEqual({ word: 'unknown', tone: 'warn' })
    expect(stateOf(run('a', { stale: { since: 0, file: 'a', message: '' } })).word).toBe('unreadable')
  })

  it('doubt a run that says it is at work and writes nothing', () => {
    const minutes = (count: number) => 60_000 * count
    expect(claimOf(run('a', { writtenAt: 0 }), undefined, minutes(11))).toEqual({ word: 'says running', tone: 'ok' })
    expect(claimOf(run('a', { writtenAt: 0 }), undefined, minutes(12))).toEqual({
      word: 'says running, but silent',
      tone: 'warn',
    })
    expect(silenceOf(run('a', { writtenAt: 0, state: known('planning' as const) }), undefined, minutes(90))).toBe('1 h')
    for (const more of [
      { archived: true },
      { state: known('done' as const) },
      { writtenAt: null },
      { stale: { since: 0, file: 'a', message: '' } },
    ]) {
      expect(silenceOf(run('a', { writtenAt: 0, ...more }), undefined, minutes(90))).toBeNull()
    }
  })

  it('know that a run is at work which Bridgedeck runs itself, and for how long its agent has been', () => {
    const agent = { name: 'gemini', role: 'executor', state: 'running', since: 0, reason: '', run: null } as const
    const loop: Loop = { ...idleLoop, state: 'running', agents: [agent] }
    const hour = 3_600_000
    expect(silenceOf(run('a', { writtenAt: 0 }), loop, hour)).toBeNull()
    expect(claimOf(run('a', { writtenAt: 0 }), loop, hour)).toEqual({ word: 'says running', tone: 'ok' })
    expect(processText(run('a'), loop, 14 * 60_000)).toBe('run by Bridgedeck: gemini as executor, at work for 14 min')
    expect(processText(run('a'), { ...loop, agents: [agent, { ...agent, state: 'waiting' }] }, 14 * 60_000)).toBe(
      'run by Bridgedeck: gemini as executor, at work for 14 min; gemini as executor, waiting for 14 min',
    )
    expect(processText(run('a'), { ...loop, agents: [] }, hour)).toBe('run by Bridgedeck')
    expect(processText(run('a'), undefined, hour)).toMatch(/^unknown/)
  })

  it('know that a run is at rest which Bridgedeck stopped, until somebody else writes to it', () => {
    const stepped: Loop = { ...idleLoop, state: 'paused', since: 10_000 }
    const left = run('a', { writtenAt: 9_000 })
    expect(claimOf(left, stepped, 3_600_000)).toEqual({ word: 'paused', tone: 'muted' })
    expect(claimOf(left, { ...stepped, state: 'stopped' }, 0).word).toBe('stopped')
    expect(stateMeaning(left, stepped)).toContain('no agent is working')
    expect(silenceOf(left, stepped, 3_600_000)).toBeNull()
    expect(processText(left, stepped, 0)).toMatch(/^none/)
    for (const [of, loop] of [
      [run('a', { writtenAt: 20_000 }), stepped],
      [left, { ...stepped, state: 'interrupted' }],
      [left, undefined],
    ] as const) {
      expect(claimOf(of, loop, 20_000).word).toBe('says running')
      expect(stateMeaning(of, loop)).toBe('an agent is working')
    }
    expect(claimOf(run('a', { state: known('waiting' as const) }), stepped, 0).word).toBe('waiting')
  })

  it('know that a run is ready whose last change is the person’s own', () => {
    const answered = run('a', { writtenAt: 20_000, writtenBy: 'bridgedeck' })
    const stepped: Loop = { ...idleLoop, state: 'paused', since: 10_000 }
    for (const loop of [undefined, stepped]) {
      expect(claimOf(answered, loop, 3_600_000)).toEqual({ word: 'ready', tone: 'muted' })
      expect(stateMeaning(answered, loop)).toContain('resume it')
      expect(silenceOf(answered, loop, 3_600_000)).toBeNull()
      expect(processText(answered, loop, 0)).toMatch(/^none/)
    }
    expect(claimOf({ ...answered, writtenBy: 'claude' }, stepped, 20_000).word).toBe('says running')
    expect(claimOf(answered, { ...stepped, state: 'interrupted' }, 20_000).word).toBe('says running')
  })

  it('keep the order of the list while somebody is among them: what is new stands where it belongs', () => {
    const rows = (...keys: string[]): ListRow[] => [
      { kind: 'project', project: project(1) },
      ...keys.map((key): ListRow => ({ kind: 'run', project: 1, run: run(key) })),
    ]
    const former = rows('a', 'b', 'c').map(rowKey)
    const calm = (...keys: string[]) => inFormerOrder(rows(...keys), former).map(rowKey)
    expect(calm('c', 'b', 'a')).toEqual(former)
    expect(calm('c', 'new', 'a')).toEqual(['1', '1 a', '1 c', '1 new'])
    expect(inFormerOrder(rows('a'), []).map(rowKey)).toEqual(['1', '1 a'])
  })

  it('say that a run is ready as its files do, until Bridgedeck goes on with it', () => {
    const answered = run('a', { state: known('ready' as const) })
    expect(claimOf(answered, undefined, 0)).toEqual({ word: 'ready', tone: 'muted' })
    expect(processText(answered, undefined, 0)).toMatch(/^unknown/)
    const paused: Loop = { ...idleLoop, state: 'paused', since: 10_000 }
    expect(claimOf({ ...answered, writtenAt: 9_000 }, paused, 0).word).toBe('paused')
    expect(processText({ ...answered, writtenAt: 9_000 }, paused, 0)).toMatch(/^none/)
    expect(claimOf({ ...answered, writtenAt: 20_000 }, paused, 0).word).toBe('ready')
    const active: Loop = { ...idleLoop, state: 'running' }
    expect(claimOf(answered, active, 0).word).toBe('says running')
    expect(stateMeaning(answered, active)).toBe('an agent is working')
  })

  it('say of each commit whether it is there, where git was asked', () => {
    const commits = known(['9f3e1aa', 'facade1', 'HEAD'])
    expect(commitsText({ commits, commitStates: ['unknown', 'unknown', 'unknown'] })).toBe(
      'says commits 9f3e1aa, facade1, HEAD',
    )
    expect(commitsText({ commits, commitStates: ['found', 'missing', 'unknown'] })).toBe(
      'says commits 9f3e1aa (found), facade1 (not found), HEAD (unknown)',
    )
    expect([null, unknown, known([])].map((written) => commitsText({ commits: written, commitStates: [] }))).toEqual([
      '',
      'commits: unknown',
      'commits: none written',
    ])
  })

  it('say why a task is blocked', () => {
    const row = {
      kind: 'task' as const,
      key: 'T3',
      title: unknown,
      state: known('todo' as const),
      standing: 'blocked' as const,
      owner: null,
      dependencies: [],
      commits: null,
      commitStates: [],
      check: null,
    }
    expect(blockedText({ ...row, blockedBy: [] })).toBe('')
    expect(blockedText({ kind: 'phase', blockedBy: [{ key: '3', why: 'failed' }] })).toBe('blocked: phase 3 failed')
    expect(blockedText({ ...row, blockedBy: [{ key: 'T9', why: 'missing' }] })).toBe('blocked: T9 is not there')
    expect(
      blockedText({
        ...row,
        blockedBy: [
          { key: 'T1', why: 'unfinished' },
          { key: 'T2', why: 'failed' },
        ],
      }),
    ).toBe('blocked: T1 is not done, and 1 more')
  })

  it('warn from 80 % of a limit on, and guess none', () => {
    const meter = (used: number | null, limit: number | null) => ({
      name: 'm',
      unit: 'turns',
      used: known(used),
      limit: known(limit),
    })
    expect([meter(7, 10), meter(8, 10), meter(10, 10), meter(3, null)].map((of) => meterTone(shareOf(of)))).toEqual([
      'ok',
      'warn',
      'bad',
      'muted',
    ])
    expect(meterText(meter(3, 5))).toBe('3 of 5 turns')
    expect(meterText(meter(3, null))).toBe('3 turns, no known limit')
    expect(meterText(meter(null, 5))).toBe('unknown of 5 turns')
  })

  it('name a place by file and line', () => {
    expect(sourceText({ file: 'a/b/state.json', line: 3, pointer: '/status' })).toBe('state.json:3')
    expect(sourceText({ file: 'state.json', pointer: '/status' })).toBe('state.json#/status')
  })

  it('spell out what would act on a reader', () => {
    expect(visibleText('a\u001b[31mb\u202ec\td\r\n')).toBe('a␛[31mb‹U+202E›c\td\n')
  })
})

describe('the lists of the projects view', () => {
  it('have what waits longest first in the inbox, and nothing of archives', () => {
    const runs = [
      { project: 1, run: run('a', { needs: [need('new', 300), need('whenever', null)], needCount: 2 }) },
      { project: 2, run: run('b', { needs: [need('old', 100)], needCount: 1 }) },
      { project: 2, run: run('c', { archived: true, needs: [need('over', 1)], needCount: 1 }) },
    ]
    expect(inboxOf(runs).map(({ need: { title } }) => title)).toEqual(['old', 'new', 'whenever'])
  })

  it('stay at the chosen need while others come and go, and go on to the next one when it is answered', () => {
    const items = (...titles: string[]) =>
      inboxOf([{ project: 1, run: run('a', { needs: titles.map((title, at) => need(title, at)) }) }])
    const before = items('one', 'two', 'two', 'three')
    expect(new Set(before.map(({ key }) => key)).size).toBe(4)
    const chosen = { key: before[3]?.key ?? '', index: 3 }
    expect(followNeed(items('new', 'one', 'two', 'three'), chosen)).toMatchObject({
      item: { need: { title: 'three' } },
    })
    expect(followNeed(items('two', 'three', 'four'), chosen)?.index).toBe(1)
    const first = { key: before[0]?.key ?? '', index: 0 }
    expect(followNeed(items('two', 'three'), first)?.item.need.title).toBe('two')
    expect(followNeed(items('one', 'two'), chosen)?.item.need.title).toBe('two')
    expect(followNeed([], first)).toBeNull()
    const others = inboxOf([
      { project: 1, run: run('a', { needs: [need('older', 1)] }) },
      { project: 2, run: run('b', { needs: [need('sample', 1)] }) },
    ])
    expect(followNeed(others, { key: '', index: 0, firstOf: 2 })).toMatchObject({ item: { project: 2 }, index: 1 })
    expect(followNeed(others, { key: '', index: 0, firstOf: 3 })).toBeNull()
    expect(followNeed(before, null)).toBeNull()
  })

  it('find a need by where it stands, also when its lines have moved', () => {
    const at = (title: string, line: number): RunNeed => ({ ...need(title, line), source: { file: 'q.md', line } })
    const items = inboxOf([{ project: 1, run: run('a', { needs: [at('one', 3), at('two', 9)] }) }])
    const found = (of: typeof items, line: number, name = 'a') =>
      needAt(of, 1, name, { file: 'q.md', line })?.need.title
    expect(found(items, 9)).toBe('two')
    expect(found(items, 4)).toBeUndefined()
    expect(found(items.slice(0, 1), 4)).toBe('one')
    expect(found(items, 9, 'b')).toBeUndefined()
  })

  it('say what an answer unblocks, and that nobody can tell of a file that cannot be read', () => {
    const unblocks = (count: number, kind: RunNeed['kind'] = 'question') =>
      unblocksText({ kind, unblocks: Array.from({ length: count }, String) })
    expect(unblocks(1)).toBe('unblocks 1 task')
    expect(unblocks(3)).toBe('unblocks 3 tasks')
    expect(unblocks(50)).toBe('unblocks 50 or more tasks')
    expect(unblocks(0)).toBe('unblocks the run')
    expect(unblocks(0, 'unreadable')).toContain('unknown')
  })

  it('have each open project with its runs, what needs somebody first, and closed projects last', () => {
    const runs = [
      { project: 2, run: run('done', { state: known('done' as const), writtenAt: 9 }) },
      { project: 2, run: run('going', { writtenAt: 1 }) },
      { project: 2, run: run('gone', { archived: true, state: known('failed' as const) }) },
      { project: 2, run: run('asks', { needCount: 1 }) },
    ]
    const rows = listRows([project(1, { state: 'closed' }), project(2)], runs)
    expect(rows.map((row) => (row.kind === 'project' ? row.project.name : row.run.key))).toEqual([
      'p2',
      'asks',
      'going',
      'done',
      'gone',
      'p1',
    ])
  })
})
