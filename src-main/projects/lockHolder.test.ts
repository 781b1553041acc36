import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { hostname } from 'node:os'
import { afterEach, describe, expect, it } from 'vitest'
import { describeHolder } from './lockHolder'

const none = { host: undefined, startedAt: undefined }

describe('the process that a lock names', () => {
  let child: ReturnType<typeof spawn> | undefined
  afterEach(() => child?.kill('SIGKILL'))

  it('is told to be alive, with what it is, and to be gone once it has ended', async () => {
    child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', 'secret'], { stdio: 'ignore' })
    await once(child, 'spawn')
    const { pid = 0 } = child
    const text = describeHolder({ pid, ...none })
    expect(text).toMatch(/may still hold it: it is running/)
    if (process.platform === 'linux') expect(text).toContain('"node"')
    expect(text).not.toContain('secret')
    child.kill('SIGKILL')
    await once(child, 'close')
    expect(describeHolder({ pid, ...none })).toBe(`Process ${pid}, which the lock names, has ended.`)
  })

  it.runIf(process.platform === 'linux')('is another one when it did not start then', () => {
    expect(describeHolder({ pid: process.pid, host: undefined, startedAt: 1_000 })).toContain(
      'another process has its number now',
    )
  })

  it('is this one, or is on another computer, of which nothing is known', () => {
    expect(
      describeHolder({ pid: process.pid, host: hostname(), startedAt: Date.now() - process.uptime() * 1000 }),
    ).toContain('it is this Bridgedeck')
    expect(describeHolder({ pid: 1, host: 'elsewhere.example', startedAt: undefined })).toContain('another computer')
  })
})
