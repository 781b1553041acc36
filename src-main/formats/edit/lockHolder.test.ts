import { describe, expect, it } from 'vitest'
import { parseLockHolder } from './lockHolder'

const none = { host: undefined, startedAt: undefined }

describe('what a lock file holds', () => {
  it.each([
    ['4711\n', { pid: 4711, ...none }],
    ['{"pid":4711}', { pid: 4711, ...none }],
    ['{"program":"x","pid":4711,"host":"here","startedAt":5}', { pid: 4711, host: 'here', startedAt: 5 }],
    [
      '{"pid":4711,"hostname":"there","startedAt":"1970-01-01T00:00:01.000Z"}',
      { pid: 4711, host: 'there', startedAt: 1_000 },
    ],
    ['pid: 4711\nhost: here', { pid: 4711, ...none }],
    ['PID=4711', { pid: 4711, ...none }],
  ])('names a process: %s', (text, holder) => {
    expect(parseLockHolder(text)).toEqual(holder)
  })

  it.each(['', 'host-of-somebody', '{"pid":"x"}', '0', 'rapid 12', '2026-01-01'])('names none: %s', (text) => {
    expect(parseLockHolder(text)).toBeUndefined()
  })
})
