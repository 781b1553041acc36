/** A bridge that stays without a window: its machines and tasks are those of every later call. */
import { existsSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { forkBridge } from '../../src-main/electron/forkedBridge'
import { socketPath } from '../../src-main/bridge/socket'
import { CommandLine } from '../support/commandLine'
import { dataFolderOf } from '../support/realBridge'

let calls: CommandLine
beforeEach(() => {
  calls = new CommandLine()
})
afterEach(() => calls.remove())

const sampling = ['sample', '--ranges', '$A0-$A2', '--interval', '50']

/** The first message of the bridge of a window that opens. */
async function startOfWindow(): Promise<unknown> {
  const bridge = forkBridge({
    node: process.execPath,
    script: resolve('out/main/bridge.cjs'),
    environment: calls.environment,
    output: () => undefined,
  })
  const ended = new Promise<void>((done) => bridge.onEnd(() => done()))
  try {
    return await new Promise((first) => bridge.onMessage(first))
  } finally {
    bridge.kill()
    await ended
  }
}

describe('a task that is left in the background', () => {
  it('goes on after the call, and every later call uses its bridge and its machine', async () => {
    const started = await calls.data('task', 'start', ...sampling, '--detach')
    expect(started).toMatchObject({ task: { id: '0001_sample', status: 'running' }, lifetime: 'background' })
    const { pid } = started as { pid: number }
    expect(await calls.data('bridge', 'status')).toMatchObject({
      running: true,
      pid,
      endsWhenIdle: true,
      machines: [{ machine: 'builtin', connection: 'live' }],
      tasks: [{ id: '0001_sample' }],
    })

    await calls.data('write', '--address', '$C000', '--bytes', 'a905')
    expect(await calls.data('task', 'run', 'read', '--address', '$C000', '--length', '2')).toMatchObject({
      result: { summary: { bytes: 'a905' } },
    })
    expect(await calls.data('task', 'stop', '0001_sample')).toMatchObject({ task: { status: 'stopped' } })
  })

  it('ends its bridge with the last task', async () => {
    await calls.data('task', 'start', ...sampling, '--iterations', '3', '--detach')
    await expect.poll(() => calls.data('task', 'show', '0001_sample')).toMatchObject({ task: { status: 'completed' } })
    // Each call that asks would be one more client: the socket's file is the bridge's own.
    await expect.poll(() => existsSync(join(calls.folder, 'data/bridge.sock'))).toBe(false)
    expect(await calls.data('bridge', 'status')).toEqual({ running: false })
    expect(await calls.data('task', 'show', '0001_sample')).toMatchObject({
      task: { status: 'completed', iterations: 3 },
    })
  })

  it('shares one bridge with another that is started in the same moment', async () => {
    const started = await Promise.all([
      calls.data('task', 'start', ...sampling, '--detach'),
      calls.data('task', 'start', ...sampling, '--detach'),
    ])
    const pids = started.map((data) => (data as { pid: number }).pid)
    expect(new Set(pids).size).toBe(1)
    expect(await calls.data('bridge', 'status')).toMatchObject({ tasks: { length: 2 } })
  })

  it('keeps its tasks where the call says', async () => {
    await calls.data('task', 'start', ...sampling, '--home', 'mine', '--detach')
    expect(existsSync(join(calls.folder, 'mine/tasks.json'))).toBe(true)
    expect(await calls.data('task', 'list')).toMatchObject({ home: join(calls.folder, 'mine') })
  })

  it('is refused before anything starts when its arguments are wrong', async () => {
    expect(await calls.run('task', 'start', 'read', '--address', '$12345', '--detach')).toMatchObject({ code: 1 })
    expect(existsSync(join(calls.folder, 'data'))).toBe(false)
  })
})

describe('a bridge in the background', () => {
  it('stays until it is stopped: what one call writes, the next one reads', async () => {
    expect(await calls.data('bridge', 'start')).toMatchObject({ lifetime: 'background', endsWhenIdle: false })
    await calls.data('write', '--address', '$C000', '--bytes', 'a905')
    expect(await calls.data('read', '--address', '$C000', '--length', '2')).toMatchObject({ bytes: 'a905' })
    expect(await calls.data('screen')).toMatchObject({ rows: expect.arrayContaining(['READY.'.padEnd(40)]) as unknown })
    expect(await calls.data('bridge', 'stop')).toMatchObject({ stopped: true })
    expect(await calls.data('bridge', 'status')).toEqual({ running: false })
  })

  it('that runs for a task stays after it, once bridge start has asked for that', async () => {
    await calls.data('task', 'start', ...sampling, '--detach')
    expect(await calls.data('bridge', 'start')).toMatchObject({ endsWhenIdle: false, tasks: [{ id: '0001_sample' }] })
    await calls.data('task', 'stop', '0001_sample')
    expect(await calls.data('bridge', 'status')).toMatchObject({ running: true, endsWhenIdle: false, tasks: [] })
  })

  it('boots its C64 once for all calls that come first', async () => {
    await calls.data('bridge', 'start')
    const written = Array.from({ length: 3 }, (_, index) =>
      calls.data('write', '--address', `$C00${index}`, '--bytes', `0${index + 1}`),
    )
    await Promise.all(written)
    expect(await calls.data('read', '--address', '$C000', '--length', '3')).toMatchObject({ bytes: '010203' })
  })

  it('whose socket is gone is stopped all the same', async () => {
    const { pid } = (await calls.data('bridge', 'start')) as { pid: number }
    rmSync(socketPath(dataFolderOf(calls)))
    expect(await calls.data('bridge', 'stop')).toEqual({ stopped: true, pid })
    expect(await calls.data('bridge', 'stop')).toEqual({ stopped: false })
  })

  it('that is killed leaves its task interrupted, and its place to the next one', async () => {
    const { pid } = (await calls.data('task', 'start', ...sampling, '--detach')) as { pid: number }
    process.kill(pid, 'SIGKILL')
    await expect
      .poll(() => calls.data('task', 'show', '0001_sample'))
      .toMatchObject({ task: { interrupted: expect.any(String) as string } })
    expect(await calls.data('bridge', 'start')).toMatchObject({ lifetime: 'background', tasks: [] })
  })

  it('stops its tasks when it is stopped', async () => {
    await calls.data('task', 'start', ...sampling, '--detach')
    expect(await calls.data('bridge', 'stop')).toMatchObject({ stopped: true, tasks: [{ id: '0001_sample' }] })
    expect(await calls.data('task', 'show', '0001_sample')).toMatchObject({
      task: { status: 'stopped', interrupted: null },
    })
  })

  it('with a task keeps the window from starting a second bridge, and says what runs and how to stop it', async () => {
    await calls.data('task', 'start', ...sampling, '--detach')
    expect(await startOfWindow()).toMatchObject({
      kind: 'failed',
      error: {
        code: 'CONFLICT',
        message: expect.stringContaining('0001_sample') as string,
        hint: expect.stringContaining('bridgedeck bridge stop') as string,
      },
    })
  })

  it('whose last task has ended makes place for the window at once', async () => {
    await calls.data('task', 'start', ...sampling, '--iterations', '1', '--detach')
    // Where calls are slow, it has ended by itself by then.
    const status = z.object({ tasks: z.array(z.unknown()).default([]) })
    await expect.poll(async () => status.parse(await calls.data('bridge', 'status')).tasks).toEqual([])
    expect(await startOfWindow()).toMatchObject({ kind: 'ready' })
  })

  it('is not needed: stopping none is no error', async () => {
    expect(await calls.data('bridge', 'stop')).toEqual({ stopped: false })
    expect((await calls.run('bridge', 'status')).stdout).toMatch(/No bridge runs/)
  })
})
