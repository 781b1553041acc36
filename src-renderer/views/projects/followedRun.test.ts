import { describe, expect, it } from 'vitest'
import { followedRun } from './followedRun'

const run = (key: string, id: string | null, more: { system?: 'ncrew'; folder?: string; archived?: boolean } = {}) => ({
  key,
  system: 'maestro' as const,
  folder: '',
  archived: false,
  id: { value: id, source: null },
  ...more,
})

describe('a run that is gone', () => {
  const older = run('older', '2026-11-02-title', { archived: true })

  it('is its session in the archive, whatever else lies there', () => {
    const archived = run('archived', '2026-11-17-scroller', { archived: true })
    expect(followedRun(run('active', '2026-11-17-scroller'), [older, archived])).toBe('archived')
  })

  it('is the run with a state file, where it had none and so no id', () => {
    expect(followedRun(run('planned', null), [older, run('active', 'new')])).toBe('active')
  })

  it('is no other session, no run of another folder or format', () => {
    const others = [older, run('a', 's', { folder: 'x' }), run('b', 's', { system: 'ncrew' })]
    expect(followedRun(run('active', 's'), others)).toBeNull()
    expect(followedRun(run('active', null), [older])).toBeNull()
  })
})
