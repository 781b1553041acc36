import { describe, expect, it } from 'vitest'
import type { Task } from '@shared/contract/tasks'
import { galleryItems, matching } from './galleryItems'

const task = (id: string, operation: string, updatedAt: number): Task => ({
  id,
  name: 'grab',
  type: 'foreground',
  operation,
  status: 'completed',
  machine: 'builtin',
  intervalMs: null,
  maxIterations: null,
  iterations: 1,
  startedAt: updatedAt,
  updatedAt,
  stoppedAt: updatedAt,
  lastError: null,
  folder: '',
  nextRunAt: null,
  missedTicks: 0,
  progress: null,
  recorded: null,
  runner: 'nobody',
  waiting: null,
  interrupted: null,
  resumable: false,
  orphan: null,
  own: true,
  notices: [],
})
const file = (artifact: string) => ({ artifact, size: 63 })

const items = galleryItems(
  [
    { id: 'old', artifacts: [file('artifacts/screen.png'), file('artifacts/screen.txt')] },
    { id: 'new', artifacts: [file('artifacts/sprites/a.bin'), file('artifacts/sprites/a.png')] },
  ],
  new Map([
    ['old', task('old', 'capture_screen', Date.UTC(2026, 0, 2, 12))],
    ['new', task('new', 'extract_sprites_from_ram', Date.UTC(2026, 5, 6, 12))],
  ]),
)

describe('the gallery', () => {
  it('has the newest task first, and a picture with its bytes as one', () => {
    expect(items.map(({ artifact, data }) => [artifact, data])).toEqual([
      ['artifacts/sprites/a.png', 'artifacts/sprites/a.bin'],
      ['artifacts/screen.png', null],
      ['artifacts/screen.txt', 'artifacts/screen.txt'],
    ])
  })

  it('is searched by name, task, operation and date, all words together', () => {
    const found = (query: string) => matching(items, query).map(({ artifact }) => artifact)
    expect(found('sprites a.png')).toEqual(['artifacts/sprites/a.png'])
    expect(found('CAPTURE txt')).toEqual(['artifacts/screen.txt'])
    expect(found('2026-01-02')).toHaveLength(2)
    expect(found('nothing')).toEqual([])
  })
})
