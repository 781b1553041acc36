import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { hostname } from 'node:os'
import { afterEach, describe, expect, it } from 'vitest'
import { describeHolder, lockHolder } from './lockHolder'

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
    expect(lockHolder(text)).toEqual(holder)
  })

  it.each(['', 'host-of-somebody', '{"pid":"x"}', '0', 'rapid 12', '2026-01-01'])('names none: %s', (text) => {
    expect(lockHolder(text)).toBeUndefined()
  })
})

describe('the process that a lock names', () => {
  let child: ReturnType<typeof spawn> | undefined
  afterEach(() => child?.kill('SIGKILL'))

  it('is told to be alive, with what it is, and to be gone once it has ended', async () => {
    child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', 'secret'], { stdio: 'ignore' })
    await once(child, 'spawn')
    const { pid = 0 } = child
    const told = describeHolder({ pid, ...none })
    expect(told).toMatch(/may hold it now: that is alive/)
    if (process.platform === 'linux') expect(told).toContain('"node"')
    expect(told).not.toContain('secret')
    child.kill('SIGKILL')
    await once(child, 'close')
    expect(describeHolder({ pid, ...none })).toBe(`Process ${pid}, which it names, is not there any more.`)
  })

  it.runIf(process.platform === 'linux')('is another one when it did not start then', () => {
    expect(describeHolder({ pid: process.pid, host: undefined, startedAt: 1_000 })).toContain(
      'another one has its number now',
    )
  })

  it('is this one, or is on another computer, of which nothing is known', () => {
    expect(
      describeHolder({ pid: process.pid, host: hostname(), startedAt: Date.now() - process.uptime() * 1000 }),
    ).toContain('that is this Bridgedeck')
    expect(describeHolder({ pid: 1, host: 'elsewhere.example', startedAt: undefined })).toContain('cannot be told here')
  })
})
