/** What a killed process leaves in the state home, and what the next start makes of it: everything on disk is true again. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AppError } from '@shared/contract/errors'
import { stagingName } from '../../src-main/files/stagedWrite'
import { deadProcess, scripted, TaskHome } from '../support/taskHome'

const machine = 'vice:6502'
const none = new AbortController().signal
const read = scripted('read', () => Promise.resolve({ summary: { bytes: '00' } }))
const failing = scripted('fail', () => Promise.reject(new AppError('INVALID', 'There is nothing to read.')))
const newTask = (type: 'foreground' | 'background') => ({
  name: 'read',
  type,
  operation: 'read',
  args: {},
  ...(type === 'background' ? { intervalMs: 60_000 } : {}),
  startedAt: Date.now(),
})

let home: TaskHome
beforeEach(() => {
  home = new TaskHome()
})
afterEach(() => home.close())

/** A task whose process was killed while it ran. */
async function killed(type: 'foreground' | 'background', iterations?: number): Promise<string> {
  const store = home.store(deadProcess)
  const id = await store.create(newTask(type), machine)
  if (iterations !== undefined) await store.change(id, { iterations, updatedAt: Date.now() })
  await store.close()
  return id
}

const onDisk = (id: string) => home.entries.find((entry) => entry.id === id)

describe('a task that is deleted while its end is written', () => {
  it('is gone, and the registry is free for others', async () => {
    const id = await killed('background')
    const store = home.store()
    await store.readDetails()
    let deletion: Promise<void> | undefined
    await store.takeOver(
      id,
      { status: 'stopped' },
      {
        work: async () => {
          deletion = store.delete(id)
          // Long enough that it would wait for the registry, of which nothing tells.
          await wait(100)
        },
      },
    )
    await deletion
    expect(home.list('tasks/background')).toEqual([])
    expect(onDisk(id)).toBeUndefined()
    const other = home.store()
    await other.create(newTask('background'), machine)
    await other.flush()
  })
})

describe('a task whose process was killed', () => {
  it('and that ran once has failed, in all its files, with the reason', async () => {
    const id = await killed('foreground')
    const tasks = home.tasks([read])
    expect((await tasks.list(null)).tasks).toMatchObject([
      {
        id,
        status: 'error',
        runner: 'nobody',
        resumable: false,
        lastError: expect.stringContaining('4194303') as string,
      },
    ])
    const end = {
      status: 'error',
      stoppedAt: expect.any(String) as string,
      lastError: expect.stringContaining('is gone') as string,
    }
    await expect.poll(() => onDisk(id)).toMatchObject(end)
    expect(home.json(`tasks/${id}/task.json`)).toMatchObject(end)
    expect(home.read(`tasks/${id}/log.txt`)).toMatch(/started\n\[.*Z\] interrupted: .*4194303/)
  })

  it('and that recurs is stopped on disk, keeps its iterations, and can still be resumed after another restart', async () => {
    const id = await killed('background', 7)
    writeFileSync(join(home.path, `tasks/background/${id}/result.json`), '{"status": "running", "summary": {"a": 1}}')
    for (let start = 0; start < 2; start++) {
      const tasks = home.tasks([read])
      await tasks.begin()
      expect((await tasks.show(id)).task).toMatchObject({
        status: 'stopped',
        runner: 'nobody',
        resumable: true,
        iterations: 7,
        interrupted: expect.stringContaining('4194303') as string,
      })
      await tasks.close()
    }
    expect(onDisk(id)).toMatchObject({ status: 'stopped', iterations: 7 })
    expect(home.json(`tasks/background/${id}/task.json`)).toMatchObject({
      status: 'stopped',
      resultPath: `tasks/background/${id}/result.json`,
    })
    expect(home.json(`tasks/background/${id}/result.json`)).toMatchObject({ status: 'stopped', summary: { a: 1 } })
    const tasks = home.tasks([read])
    expect(await tasks.resume(id)).toMatchObject({
      status: 'running',
      runner: 'here',
      stoppedAt: null,
      lastError: null,
      interrupted: null,
    })
    await expect.poll(async () => (await tasks.show(id)).task.iterations).toBe(8)
    expect(await tasks.stop(id)).toMatchObject({ status: 'stopped', interrupted: null, resumable: false })
  })

  it('is an ordinary stopped task once a person stopped it', async () => {
    const id = await killed('background', 7)
    const tasks = home.tasks([read])
    expect(await tasks.stop(id)).toMatchObject({ status: 'stopped', interrupted: null, resumable: false })
    await tasks.close()
    expect((await home.tasks([read]).show(id)).task).toMatchObject({ interrupted: null, resumable: false })
  })

  it('is found also where tasks.json already has a newer word than its task.json', async () => {
    const id = await killed('background', 7)
    const registry = home.json('tasks.json') as { tasks: Record<string, unknown>[] }
    writeFileSync(
      join(home.path, 'tasks.json'),
      JSON.stringify({ tasks: registry.tasks.map((entry) => ({ ...entry, status: 'completed' })) }),
    )
    const tasks = home.tasks([read])
    await tasks.begin()
    await expect.poll(() => onDisk(id)).toMatchObject({ status: 'stopped' })
  })

  it('leaves nothing half written behind, however short ago it was', async () => {
    const id = await killed('background', 7)
    const { pid } = spawnSync(process.execPath, ['-e', ''])
    const left = [`tasks/background/${id}/result.json`, 'tasks.json', `tasks/background/0009_read`].map((path) =>
      stagingName(join(home.path, path), pid),
    )
    const beingWritten = stagingName(join(home.path, 'tasks.json'))
    for (const path of [...left, beingWritten]) writeFileSync(path, '{')
    const tasks = home.tasks([read])
    await tasks.begin()
    expect([...left, beingWritten].filter((path) => existsSync(path))).toEqual([beingWritten])
  })
})

describe('a running task whose folder is removed with the whole home', () => {
  it.each(['completed', 'error'] as const)('goes on to its end (%s), and other tasks can be started', async (how) => {
    let end = (): void => undefined
    const slow = scripted(
      'slow',
      () =>
        new Promise((resolve, reject) => {
          end = () =>
            how === 'completed' ? resolve({ summary: {} }) : reject(new AppError('INVALID', 'It did not work.'))
        }),
    )
    const tasks = home.tasks([slow, read])
    const { id } = await tasks.start({ operation: 'slow', machine, type: 'foreground', args: {} })
    rmSync(home.path, { recursive: true, force: true })
    mkdirSync(home.path)
    const entry = { id: '0900_theirs', name: 'theirs', type: 'foreground', status: 'completed', folder: null }
    writeFileSync(join(home.path, 'tasks.json'), JSON.stringify({ tasks: [entry] }))
    const listed = async () => (await tasks.list(null)).tasks.map((task) => task.id)
    // Then the home was read again.
    await expect.poll(listed).toContain('0900_theirs')
    expect(await listed()).toContain(id)
    const waited = tasks.wait(id, none)
    end()
    // Once it has ended, nothing is left of it.
    await waited.catch((error: unknown) => expect(error).toMatchObject({ code: 'NOT_FOUND' }))
    expect(tasks.live).toEqual([])
    mkdirSync(join(home.path, 'tasks'), { recursive: true })
    const next = await tasks.start({ operation: 'read', machine, type: 'foreground', args: {} })
    expect(await tasks.wait(next.id, none)).toMatchObject({ status: 'completed' })
  })
})

describe('sessions', () => {
  const session = (name: string, tasks: object[]) => {
    mkdirSync(join(home.path, 'sessions', name), { recursive: true })
    const content = { sessionId: name, created: name, ended: null, status: 'active', tasks, more: 'kept' }
    writeFileSync(join(home.path, 'sessions', name, 'session.json'), JSON.stringify(content))
  }
  const read001 = (name: string) => home.json(`sessions/${name}/session.json`)

  it('of processes that are gone are ended, those of others are not', async () => {
    const dead = await killed('background', 7)
    const other = home.store()
    const alive = await other.create(newTask('background'), machine)
    await other.flush()
    session('2025-10-27T11-42-00Z', [{ id: dead, type: 'background' }])
    session('2025-10-27T11-43-00Z', [{ id: 'deleted_since', type: 'background' }])
    session('2025-10-27T11-44-00Z', [{ id: alive, type: 'background' }])
    writeFileSync(join(home.path, 'sessions/2025-10-27T11-44-00Z/session.json.txt'), 'of somebody')
    mkdirSync(join(home.path, 'sessions/damaged'))
    writeFileSync(join(home.path, 'sessions/damaged/session.json'), '{"status": "act')
    await home.tasks([read], { settings: { sessions: true } }).begin()
    const ended = { status: 'ended', ended: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string, more: 'kept' }
    expect(read001('2025-10-27T11-42-00Z')).toMatchObject(ended)
    expect(read001('2025-10-27T11-43-00Z')).toMatchObject(ended)
    expect(read001('2025-10-27T11-44-00Z')).toMatchObject({ status: 'active', ended: null })
    expect(home.read('sessions/damaged/session.json')).toBe('{"status": "act')
  })
})

describe('resultPath', () => {
  const pathsOf = (id: string, type: 'foreground' | 'background') => {
    const folder = type === 'foreground' ? `tasks/${id}` : `tasks/background/${id}`
    const { resultPath } = home.json(`${folder}/task.json`) as { resultPath?: string }
    return { resultPath, exists: existsSync(join(home.path, folder, 'result.json')) }
  }

  it('stands in task.json only once there is a result', async () => {
    const tasks = home.tasks([read, failing])
    const failed = await tasks.start({ operation: 'fail', machine, type: 'foreground', args: {} })
    await tasks.wait(failed.id, none)
    expect(pathsOf(failed.id, 'foreground')).toEqual({ resultPath: undefined, exists: false })
    const recurring = await tasks.start({
      operation: 'read',
      machine,
      type: 'background',
      args: {},
      intervalMs: 60_000,
    })
    expect(pathsOf(recurring.id, 'background')).toEqual({ resultPath: undefined, exists: false })
    const result = `tasks/background/${recurring.id}/result.json`
    await expect.poll(() => pathsOf(recurring.id, 'background')).toEqual({ resultPath: result, exists: true })
    await tasks.stop(recurring.id)
    expect(pathsOf(recurring.id, 'background')).toEqual({ resultPath: result, exists: true })
  })
})

describe('a task whose machine never answered', () => {
  it('is kept as a failed one with the reason', async () => {
    const tasks = home.tasks([read])
    const task = await tasks.startFailed(
      { operation: 'read', machine, type: 'foreground', args: { address: '$0400' } },
      'Nobody answers at 10.0.0.1.',
    )
    const end = { status: 'error', lastError: 'Nobody answers at 10.0.0.1.' }
    expect(task).toMatchObject({ ...end, machine, stoppedAt: expect.any(Number) as number })
    expect(home.json(`tasks/${task.id}/task.json`)).toMatchObject({
      status: 'error',
      lastError: 'Nobody answers at 10.0.0.1.',
      args: { address: '$0400' },
    })
    expect(home.read(`tasks/${task.id}/log.txt`)).toMatch(/started\n.*error: Nobody answers at 10\.0\.0\.1\.\n$/)
  })
})
