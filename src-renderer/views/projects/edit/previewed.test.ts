import { describe, expect, it } from 'vitest'
import type { Preview } from '@shared/contract/edits'
import { mustBeSeen, writtenPlaces } from './previewed'

const changed: Preview['files'][number] = {
  file: 'q.md',
  kind: 'changed',
  from: null,
  added: 1,
  removed: 1,
  bytes: null,
  isTooLarge: false,
  hunks: [],
}
const preview = (more: Partial<Preview> = {}): Preview => ({
  summary: 'Answered',
  warnings: [],
  files: [changed],
  more: 0,
  remembered: 0,
  git: null,
  isPossible: true,
  token: '0'.repeat(64),
  ...more,
})

describe('an answer', () => {
  it('is written at once when it only changes lines', () => {
    expect(mustBeSeen(preview())).toBe(false)
  })

  it('is shown first when there is a warning, git has a part, a file goes away, or it cannot be shown whole', () => {
    for (const more of [
      { warnings: ['Two more'] },
      { git: 'git revert' },
      { isPossible: false },
      { files: [changed, { ...changed, kind: 'moved' as const }] },
      { files: [{ ...changed, kind: 'deleted' as const }] },
      { files: [{ ...changed, isTooLarge: true }] },
    ])
      expect(mustBeSeen(preview(more))).toBe(true)
  })

  it('says where it was written', () => {
    expect(writtenPlaces(preview(), 'Answered')).toBe('Written: q.md')
    expect(writtenPlaces(preview({ files: [changed, changed, changed] }), 'Answered q.md')).toContain('and 1 more')
    expect(writtenPlaces(preview({ files: [], remembered: 1 }), '')).toContain('beside the files')
    expect(writtenPlaces(preview({ files: [] }), '')).toBeNull()
    expect(writtenPlaces(preview(), 'Answered q.md')).toBeNull()
  })
})
