import { describe, expect, it } from 'vitest'
import type { Task } from '@shared/contract/tasks'
import { durationOf, kindText, missedOf, nextText, progressText, rowsOf, shareOf, stateOf } from './taskRows'

const NOW = 1_000_000
const task = (id: string, changes: Partial<Task> = {}): Task => ({
  id,
  name: id.slice(5),
  type: 'foreground',
  operation: 'read',
  status: 'completed',
  machine: 'builtin',
  intervalMs: null,
  maxIterations: null,
  iterations: null,
  startedAt: NOW - 5_000,
  updatedAt: NOW,
  stoppedAt: NOW,
  lastError: null,
  folder: `tasks/${id}`,
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
  ...changes,
})
const titles = { builtin: 'Built-in C64' }
const ids = (tasks: readonly Task[]) => tasks.map(({ id }) => id)

describe('a recording in the list of tasks', () => {
  const recording = task('0005_recording', {
    type: 'background',
    operation: 'record',
    status: 'stopped',
    iterations: 11,
    startedAt: NOW - 20_000,
    recorded: { frames: 513, durationMs: 10_840 },
  })
  const row = (changes: Partial<Task> = {}) => {
    const one = { ...recording, ...changes }
    return [stateOf(one).word, kindText(one), progressText(one), durationOf(one, NOW)]
  }

  it('says what it holds, when it has ended and while it is made', () => {
    expect(row()).toEqual(['recorded', 'recording', '513 frames', 10_840])
    expect(row({ status: 'completed' })[0]).toBe('recorded')
    expect(row({ status: 'running', runner: 'here', stoppedAt: null })).toEqual([
      'running',
      'recording',
      '513 frames',
      10_840,
    ])
  })

  it('says so where it holds nothing, failed or was interrupted', () => {
    expect(row({ recorded: { frames: 0, durationMs: 0 } })[0]).toBe('nothing recorded')
    expect(row({ status: 'error', lastError: 'The disk is full.' })[0]).toBe('failed')
    expect(row({ interrupted: 'Its process is gone.' })[0]).toBe('interrupted')
  })

  it('of before is told by its runs', () => {
    expect(row({ recorded: null })).toEqual(['stopped', 'recording', '11', 20_000])
  })
})

describe('the list of tasks', () => {
  const running = task('0001_watch', {
    type: 'background',
    status: 'running',
    stoppedAt: null,
    iterations: 3,
    maxIterations: 12,
    runner: 'here',
    nextRunAt: NOW + 3_000,
  })
  const failed = task('0002_poke', {
    operation: 'write',
    status: 'error',
    lastError: 'The disk is full.',
    machine: 'vice',
  })
  const done = task('0003_read')
  const all = [running, failed, done]
  const newestFirst = { column: 'name', descending: true } as const

  it('shows the newest first, and those that the filter lets through', () => {
    expect(ids(rowsOf(all, titles, 'all', '', newestFirst, NOW))).toEqual(['0003_read', '0002_poke', '0001_watch'])
    expect(ids(rowsOf(all, titles, 'running', '', newestFirst, NOW))).toEqual(['0001_watch'])
    expect(ids(rowsOf(all, titles, 'failed', '', newestFirst, NOW))).toEqual(['0002_poke'])
    expect(ids(rowsOf(all, titles, 'ended', '', newestFirst, NOW))).toEqual(['0003_read'])
    const lost = task('0004_lost', { status: 'running', interrupted: 'Its process is gone.' })
    expect(ids(rowsOf([lost], titles, 'failed', '', newestFirst, NOW))).toEqual(['0004_lost'])
  })

  it('finds each of several words wherever it stands', () => {
    expect(ids(rowsOf(all, titles, 'all', 'DISK vice', newestFirst, NOW))).toEqual(['0002_poke'])
    expect(ids(rowsOf(all, titles, 'all', 'running', newestFirst, NOW))).toEqual(['0001_watch'])
    expect(ids(rowsOf(all, titles, 'all', 'built-in c64 watch', newestFirst, NOW))).toEqual(['0001_watch'])
    expect(rowsOf(all, titles, 'all', 'disk builtin', newestFirst, NOW)).toEqual([])
  })

  it('sorts by any column, and the newest first where that says nothing', () => {
    expect(ids(rowsOf(all, titles, 'all', '', { column: 'machine', descending: false }, NOW))).toEqual([
      '0003_read',
      '0001_watch',
      '0002_poke',
    ])
    expect(ids(rowsOf(all, titles, 'all', '', { column: 'next', descending: false }, NOW))).toEqual([
      '0001_watch',
      '0003_read',
      '0002_poke',
    ])
    expect(ids(rowsOf(all, titles, 'all', '', { column: 'progress', descending: true }, NOW))[0]).toBe('0001_watch')
  })

  it('counts on after 9999', () => {
    const many = ['1001_read', '10001_read', '9999_read', 'notes', '0999_read'].map((id) => task(id))
    expect(ids(rowsOf(many, titles, 'all', '', newestFirst, NOW))).toEqual([
      '10001_read',
      '9999_read',
      '1001_read',
      '0999_read',
      'notes',
    ])
  })

  it('says of each task what it is', () => {
    expect(stateOf(running)).toEqual({ word: 'running', tone: 'ok' })
    expect(stateOf({ ...running, runner: 'elsewhere' }).word).toBe('runs elsewhere')
    expect(stateOf({ ...running, waiting: 'The machine is lost.' })).toEqual({ word: 'waiting', tone: 'warn' })
    expect(stateOf({ ...running, interrupted: 'Its process is gone.' }).word).toBe('interrupted')
    expect(stateOf(failed)).toEqual({ word: 'failed', tone: 'bad' })
    expect(stateOf({ ...done, orphan: 'noEntry' }).word).toBe('no entry')
  })

  it('says how far it is', () => {
    expect([shareOf(running), progressText(running)]).toEqual([0.25, '3 of 12'])
    expect(progressText({ ...running, maxIterations: null })).toBe('3')
    expect(shareOf({ ...running, progress: { share: 0.5, text: 'reading' } })).toBe(0.5)
    expect(progressText({ ...done, progress: { share: 0.5, text: 'reading' } })).toBe('reading')
  })

  it('says how long it ran and when it runs next', () => {
    expect(durationOf(done, NOW + 99_000)).toBe(5_000)
    expect(durationOf(running, NOW + 1_000)).toBe(6_000)
    expect(durationOf({ ...running, startedAt: null }, NOW)).toBeNull()
    expect(nextText(running, NOW)).toBe('in 3 s')
    expect(nextText(running, NOW + 2_900)).toBe('now')
    expect(nextText(done, NOW)).toBe('')
    expect(nextText({ ...running, intervalMs: 20 }, NOW)).toBe('now')
  })
})

describe('what a task missed', () => {
  it('is told of all that was due', () => {
    expect(missedOf({ iterations: 497, missedTicks: 103 }, null)).toEqual({ missed: 103, due: 600 })
    expect(missedOf({ iterations: null, missedTicks: 0 }, { summary: { samples: 497, missed: 103 } })).toEqual({
      missed: 103,
      due: 600,
    })
  })

  it('is nothing where nothing is known to be missing', () => {
    expect(missedOf({ iterations: 3, missedTicks: 0 }, null)).toBeNull()
    expect(missedOf({ iterations: 3, missedTicks: 0 }, { summary: { samples: 3, missed: 0 } })).toBeNull()
  })
})
