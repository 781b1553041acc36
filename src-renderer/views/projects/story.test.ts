import { describe, expect, it } from 'vitest'
import type { Run, RunNeed, RunStory } from '@shared/contract/orchestration'
import { storyLine, storyText } from './story'

const DAY = 86_400_000
const NOW = 100 * DAY
const unknown = { value: null, source: null }
const known = <T>(value: T) => ({ value, source: null })

type Phase = NonNullable<RunStory['phase']>
const phase = (more: Partial<Phase> = {}): Phase => ({
  number: 3,
  title: 'Music',
  state: 'active',
  tasks: { done: 0, total: 0 },
  since: null,
  retries: null,
  waiting: 0,
  ...more,
})
const need = (kind: RunNeed['kind'], since: number | null = null): RunNeed => ({
  kind,
  title: '',
  detail: '',
  options: [],
  source: { file: 'a' },
  since: known(since),
  unblocks: [],
})
const told = (at: Phase | null, more: Partial<Run> = {}): Parameters<typeof storyText>[0] => ({
  story: { phases: { done: 2, total: 5 }, phase: at },
  state: known('running' as const),
  reason: unknown,
  needs: [],
  updatedAt: known(NOW - 2 * DAY),
  writtenAt: NOW - 60_000,
  stale: null,
  work: { done: 2, failed: 0, total: 5 },
  ...more,
})
const text = (...of: Parameters<typeof told>) => storyText(told(...of), NOW)

describe('the story of a run in one line', () => {
  it('tells a failed phase of a Maestro session with when, its retries and what waits for it', () => {
    const failed = phase({ state: 'failed', since: NOW - 4 * DAY, retries: 2, waiting: 2 })
    expect(text(failed, { state: known('waiting'), needs: [need('failure')] })).toBe(
      'Phase 3 of 5, Music, failed 4 days ago after 2 retries; 2 phases wait for it.',
    )
    expect(text({ ...failed, retries: 1, waiting: 1 })).toContain('after 1 retry; 1 phase waits for it')
    expect(text({ ...failed, retries: 0, since: null, waiting: 0 })).toBe('Phase 3 of 5, Music, failed.')
  })

  it('tells a Meta-Shell session that asks, with how far its phase is', () => {
    const at = phase({ number: 1, tasks: { done: 2, total: 6 } })
    expect(text(at, { state: known('waiting'), needs: [need('question', NOW - 3 * DAY)] })).toBe(
      'Phase 1 of 5, Music, 2 of 6 tasks done, needs your answer, asked 3 days ago.',
    )
  })

  it('tells a crew at its gate, and one that runs as its files claim it', () => {
    expect(text(phase(), { state: known('gate'), needs: [need('gate')] })).toContain('needs your approval')
    expect(text(phase())).toContain('running by its files, last write 1 min ago')
  })

  it('tells a tuning run at its limit, and a finished one', () => {
    expect(text(phase({ state: null }), { state: known('limit') })).toContain('stopped at a limit 2 days ago')
    const finished = told(null, { state: known('done') })
    expect(storyText({ ...finished, story: { phases: { done: 5, total: 5 }, phase: null } }, NOW)).toBe(
      'All 5 phases done, last write 2 days ago.',
    )
    expect(storyText(finished, NOW)).toContain('2 of 5 phases done')
  })

  it('tells why nothing is known of a run, as a part of its line', () => {
    const fresh = { state: unknown, reason: known('No session yet.') }
    expect(text(phase({ number: 1, title: 'A demo', state: 'todo' }), fresh)).toBe(
      'Phase 1 of 5, A demo, no session yet.',
    )
    expect(text(null, fresh)).toBe('No session yet, 2 of 5 phases done.')
  })

  it('tells that a run is ready, by its files or by who wrote last', () => {
    expect(text(phase(), { state: known('ready') })).toBe('Phase 3 of 5, Music, ready to be resumed.')
    expect(storyLine(told(phase()), NOW, 'ready').after).toBe(', ready to be resumed')
    expect(storyLine(told(phase()), NOW, 'paused').after).toContain('paused, last write 1 min ago')
  })

  it('keeps the title of the phase apart, and does without one', () => {
    expect(storyLine(told(phase()), NOW)).toMatchObject({ before: 'Phase 3 of 5, ', title: 'Music' })
    expect(text(phase({ title: '' }))).toMatch(/^Phase 3 of 5, running/)
    expect(text(null)).toMatch(/^Running by its files.*, 2 of 5 phases done\.$/)
  })

  it('says what is not known, and spells out what a terminal would act on', () => {
    expect(text(phase(), { state: { ...unknown, written: 'foo' } })).toContain('unknown status “foo”')
    expect(text(phase({ title: 'a\u202eb' }))).toContain('a‹U+202E›b')
    const stale = { since: 0, file: 'a', message: '' }
    expect(text(phase(), { stale })).toMatch(/^Its files cannot be read/)
  })
})
