/** Specification 001 (c64bridge: agent state), section by section: what it says of the folder, and what is written there. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AppError } from '@shared/contract/errors'
import { scripted, TaskHome } from '../support/taskHome'

const example = (name: string) => readFileSync(resolve('test/fixtures/spec001', name), 'utf8')
const at = (text: string) => vi.setSystemTime(new Date(`2025-10-27T${text}Z`))

const eightSprites = scripted('extract_sprites_from_ram', async ({ artifact }) => {
  await artifact('sprites/sprite_2000.bin', new Uint8Array(63))
  at('11:42:05')
  return {
    summary: { spriteCount: 8, spriteAddresses: ['0x2000', '0x2080'] },
    artifacts: { spritesDir: 'artifacts/sprites/' },
  }
})
const read = scripted('read', () => Promise.resolve({ summary: { bytes: '00' } }))
const failing = scripted('fail', () => Promise.reject(new AppError('INVALID', 'There is nothing to extract.')))
const machine = 'vice:6502'
const done = new AbortController().signal

let home: TaskHome
beforeEach(() => {
  home = new TaskHome()
})
afterEach(async () => {
  vi.useRealTimers()
  await home.close()
})

const tasksJson = () => join(home.path, 'tasks.json')

describe('1. Directory layout', () => {
  it('has tasks.json, foreground tasks in tasks/<taskId> and background ones in tasks/background/<taskId>', async () => {
    const tasks = home.tasks([eightSprites, read])
    const one = await tasks.start({
      operation: 'extract_sprites_from_ram',
      name: 'extract_sprites',
      machine,
      type: 'foreground',
      args: {},
    })
    const other = await tasks.start({
      operation: 'read',
      machine,
      type: 'background',
      args: {},
      intervalMs: 1,
      maxIterations: 1,
    })
    await Promise.all([tasks.wait(one.id, done), tasks.wait(other.id, done)])
    expect(home.list().filter((name) => !name.startsWith('.'))).toEqual(['tasks', 'tasks.json'])
    expect(home.list('tasks')).toEqual(['0001_extract_sprites', 'background'])
    expect(home.list('tasks/0001_extract_sprites')).toEqual(['artifacts', 'log.txt', 'result.json', 'task.json'])
    expect(home.list('tasks/0001_extract_sprites/artifacts/sprites')).toEqual(['sprite_2000.bin'])
    expect(home.list('tasks/background')).toEqual(['0002_read'])
    expect(home.list('tasks/background/0002_read')).toEqual(['artifacts', 'log.txt', 'result.json', 'task.json'])
    expect(home.list('tasks/background/0002_read/artifacts')).toEqual(['runs.ndjson'])
  })

  describe('Task ID convention', () => {
    it('is a counter of four digits and the task’s name, and counts on for each new task of both types', async () => {
      const store = home.store()
      const make = (name: string, type: 'foreground' | 'background') =>
        store.create({ name, type, operation: 'read', args: {}, startedAt: Date.now() }, null)
      expect([
        await make('extract_sprites', 'foreground'),
        await make('extract_sprites', 'background'),
        await make('extract_ram', 'foreground'),
      ]).toEqual(['0001_extract_sprites', '0002_extract_sprites', '0003_extract_ram'])
    })

    it('goes on after 9999 with five digits', async () => {
      mkdirSync(join(home.path, 'tasks/background/9999_watch'), { recursive: true })
      expect(
        await home
          .store()
          .create({ name: 'read', type: 'foreground', operation: 'read', args: {}, startedAt: Date.now() }, null),
      ).toBe('10000_read')
    })

    it('never gives an id twice, also when its task was deleted', async () => {
      const store = home.store()
      const make = () =>
        store.create({ name: 'read', type: 'foreground', operation: 'read', args: {}, startedAt: Date.now() }, null)
      await store.delete(await make())
      expect(await make()).toBe('0002_read')
      expect(home.list('tasks')).toEqual(['0002_read', 'background'])
    })

    it('takes names of a-z, 0-9, _ and - only, and refuses others', async () => {
      const { commands } = await import('@shared/contract/contract')
      const start = (name: string) =>
        commands['tasks.start'].input.safeParse({ operation: 'read', machine, type: 'foreground', args: {}, name })
          .success
      expect(['read', 'a-b_9', 'x'.repeat(64)].map(start)).toEqual([true, true, true])
      expect(['', 'Read', 'a b', '../x', 'ä', 'x'.repeat(65)].map(start)).toEqual(Array(6).fill(false))
    })
  })
})

describe('2. Task types', () => {
  it('foreground: runs once, from running to completed', async () => {
    const tasks = home.tasks([eightSprites])
    const started = await tasks.start({ operation: 'extract_sprites_from_ram', machine, type: 'foreground', args: {} })
    expect(started).toMatchObject({ status: 'running', type: 'foreground', intervalMs: null, maxIterations: null })
    expect(await tasks.wait(started.id, done)).toMatchObject({ status: 'completed', lastError: null })
  })

  it('foreground: runs once, from running to error', async () => {
    const tasks = home.tasks([failing])
    const { id } = await tasks.start({ operation: 'fail', machine, type: 'foreground', args: {} })
    expect(await tasks.wait(id, done)).toMatchObject({ status: 'error', lastError: 'There is nothing to extract.' })
    expect(home.read(`tasks/${id}/log.txt`)).toMatch(
      /^\[.*Z\] started\n\[.*Z\] error: There is nothing to extract\.\n$/,
    )
  })

  it('foreground: no repetition and no schedule applies', async () => {
    const tasks = home.tasks([read])
    await expect(
      tasks.start({ operation: 'read', machine, type: 'foreground', args: {}, intervalMs: 5 }),
    ).rejects.toThrow('no interval')
  })

  it('background: an interval and a maximum of iterations, which is optional', async () => {
    const tasks = home.tasks([read])
    const limited = await tasks.start({
      operation: 'read',
      machine,
      type: 'background',
      args: {},
      intervalMs: 1,
      maxIterations: 3,
    })
    expect(await tasks.wait(limited.id, done)).toMatchObject({ status: 'completed', iterations: 3 })
    const endless = await tasks.start({ operation: 'read', machine, type: 'background', args: {}, intervalMs: 1 })
    expect(home.json(`tasks/background/${endless.id}/task.json`)).not.toHaveProperty('maxIterations')
    expect(await tasks.stop(endless.id)).toMatchObject({ status: 'stopped' })
  })

  it('an operation that nobody knows is refused, and leaves nothing', async () => {
    const tasks = home.tasks([read])
    await expect(tasks.start({ operation: 'fly', machine, type: 'foreground', args: {} })).rejects.toThrow(
      'no operation “fly”',
    )
    expect(await tasks.list(null)).toMatchObject({ tasks: [] })
  })
})

describe('3. tasks.json', () => {
  it('is the example, byte for byte', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const store = home.store()
    at('11:42:03')
    const sprites = await store.create(
      {
        name: 'extract_sprites',
        type: 'foreground',
        operation: 'extract_sprites_from_ram',
        args: { persistArtifacts: true },
        startedAt: Date.now(),
      },
      machine,
    )
    at('11:42:05')
    await store.change(sprites, { status: 'completed', updatedAt: Date.now(), stoppedAt: Date.now() })
    at('11:45:00')
    const args = { address: '$0400', length: 256 }
    const reading = await store.create(
      {
        name: 'read',
        type: 'background',
        operation: 'read',
        args,
        intervalMs: 1000,
        maxIterations: 60,
        startedAt: Date.now(),
      },
      machine,
    )
    at('11:46:00')
    await store.change(reading, { status: 'completed', iterations: 60, updatedAt: Date.now(), stoppedAt: Date.now() })
    await store.flush()
    expect(home.read('tasks.json')).toBe(example('tasks.json'))
  })

  it('follows each start, update and completion', async () => {
    let finish: () => void = () => undefined
    const slow = scripted('slow', () => new Promise((resolve) => (finish = () => resolve({ summary: {} }))))
    const tasks = home.tasks([slow])
    const { id } = await tasks.start({ operation: 'slow', machine, type: 'foreground', args: {} })
    await expect.poll(() => home.entries).toMatchObject([{ id, status: 'running', stoppedAt: null }])
    finish()
    await expect
      .poll(() => home.entries)
      .toMatchObject([{ id, status: 'completed', stoppedAt: expect.any(String) as string }])
  })

  describe('Field meanings', () => {
    const time = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/
    it.each([
      ['id', 'string', /^0001_b$/],
      ['name', 'string', /^b$/],
      ['type', 'string', /^(foreground|background)$/],
      ['operation', 'string', /^read$/],
      ['args', 'object', /^\[object Object\]$/],
      ['intervalMs', 'number', /^5$/],
      ['maxIterations', 'number', /^2$/],
      ['iterations', 'number', /^0$/],
      ['status', 'string', /^(running|completed|stopped|error)$/],
      ['startedAt', 'string', time],
      ['updatedAt', 'string', time],
      ['stoppedAt', 'string | null', /^null$/],
      ['lastError', 'string | null', /^null$/],
      ['folder', 'string', /^tasks\/background\/0001_b$/],
    ])('%s: %s', async (field, type, expected) => {
      const store = home.store()
      await store.create(
        { name: 'b', type: 'background', operation: 'read', args: {}, intervalMs: 5, maxIterations: 2, startedAt: 0 },
        null,
      )
      await store.flush()
      const value: unknown = Reflect.get(home.entries[0] ?? {}, field)
      expect(type.split(' | ')).toContain(value === null ? 'null' : typeof value)
      expect(String(value)).toMatch(expected)
    })
  })

  it('has the fields of a task in the order of the table, and iterations only of background tasks', async () => {
    const store = home.store()
    await store.create({ name: 'a', type: 'foreground', operation: 'read', args: {}, startedAt: 0 }, null)
    await store.create(
      { name: 'b', type: 'background', operation: 'read', args: {}, intervalMs: 5, maxIterations: 2, startedAt: 0 },
      null,
    )
    await store.flush()
    const common = ['status', 'startedAt', 'updatedAt', 'stoppedAt', 'lastError', 'folder']
    expect(home.entries.map(Object.keys)).toEqual([
      ['id', 'name', 'type', 'operation', 'args', ...common],
      ['id', 'name', 'type', 'operation', 'args', 'intervalMs', 'maxIterations', 'iterations', ...common],
    ])
  })

  it('status: a task that is stopped while it runs is stopped, with the time and without an error', async () => {
    const endless = scripted(
      'endless',
      ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
    )
    const tasks = home.tasks([endless])
    const { id } = await tasks.start({ operation: 'endless', machine, type: 'foreground', args: {} })
    await tasks.stop(id)
    await expect
      .poll(() => home.entries)
      .toMatchObject([{ id, status: 'stopped', stoppedAt: expect.any(String) as string, lastError: null }])
  })
})

describe('4. task.json', () => {
  it('mirrors the registry’s entry, with where the result is and what is ours', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    at('11:42:03')
    const tasks = home.tasks([eightSprites])
    const { id } = await tasks.start({
      operation: 'extract_sprites_from_ram',
      name: 'extract_sprites',
      machine,
      type: 'foreground',
      args: { persistArtifacts: true },
    })
    await tasks.wait(id, done)
    const {
      machine: on,
      owner,
      revision,
      folder,
      lastError,
      ...spec
    } = home.json('tasks/0001_extract_sprites/task.json') as Record<string, unknown>
    expect(JSON.stringify(spec)).toBe(JSON.stringify(JSON.parse(example('task.json'))))
    expect({ on, folder, lastError, revision }).toEqual({
      on: machine,
      folder: 'tasks/0001_extract_sprites',
      lastError: null,
      revision: 2,
    })
    expect(owner).toEqual({
      pid: process.pid,
      startTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/) as string,
    })
  })

  it('is on disk before the change counts, and wins over a registry that does not have it yet', async () => {
    const store = home.store()
    const id = await store.create(
      { name: 'read', type: 'background', operation: 'read', args: {}, startedAt: Date.now() },
      null,
    )
    await store.flush()
    const before = home.read('tasks.json')
    await store.change(id, { status: 'completed', iterations: 7, updatedAt: Date.now(), stoppedAt: Date.now() })
    await store.close()
    // As after a crash in the moment between.
    writeFileSync(tasksJson(), before)
    const next = home.store()
    await next.ensureTasksLoaded()
    expect(next.get(id)?.entry).toMatchObject({ status: 'completed', iterations: 7 })
    await next.flush()
    expect(home.entries).toMatchObject([{ id, status: 'completed', iterations: 7 }])
  })
})

describe('5. result.json', () => {
  it('is the example, byte for byte', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    at('11:42:03')
    const tasks = home.tasks([eightSprites])
    const { id } = await tasks.start({
      operation: 'extract_sprites_from_ram',
      name: 'extract_sprites',
      machine,
      type: 'foreground',
      args: { persistArtifacts: true },
    })
    await tasks.wait(id, done)
    expect(home.read('tasks/0001_extract_sprites/result.json')).toBe(example('result.json'))
  })

  it('is optional: a task without a result has none', async () => {
    const tasks = home.tasks([failing])
    const { id } = await tasks.start({ operation: 'fail', machine, type: 'foreground', args: {} })
    await tasks.wait(id, done)
    expect(existsSync(join(home.path, 'tasks', id, 'result.json'))).toBe(false)
  })
})

describe('6. session.json', () => {
  const startTwo = async (sessions: boolean) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    at('11:42:00')
    const tasks = home.tasks([eightSprites, read], { settings: { sessions } })
    await tasks.start({
      operation: 'extract_sprites_from_ram',
      name: 'extract_sprites',
      machine,
      type: 'foreground',
      args: {},
    })
    await tasks.start({ operation: 'read', machine, type: 'background', args: {}, intervalMs: 60_000 })
    return tasks
  }

  it('is the example, byte for byte, where sessions are tracked', async () => {
    await startTwo(true)
    expect(home.read('sessions/2025-10-27T11-42-00Z/session.json')).toBe(example('session.json'))
  })

  it('is not there otherwise', async () => {
    await startTwo(false)
    expect(existsSync(join(home.path, 'sessions'))).toBe(false)
  })

  it('says when the session ended, and a second one in the same second is another', async () => {
    mkdirSync(join(home.path, 'sessions/2025-10-27T11-42-00Z'), { recursive: true })
    const tasks = await startTwo(true)
    await tasks.close()
    expect(home.json('sessions/2025-10-27T11-42-00Z-2/session.json')).toMatchObject({
      sessionId: '2025-10-27T11-42-00Z-2',
      ended: expect.stringMatching(/^2025-10-27T11-42-0\dZ$/) as string,
      status: 'ended',
    })
  })
})

describe('7. Update and persistence model', () => {
  it('ensureTasksLoaded() makes an empty registry where there is none', async () => {
    await home.store().ensureTasksLoaded()
    expect(home.read('tasks.json')).toBe('{\n  "tasks": []\n}')
  })

  it('ensureTasksLoaded() loads tasks.json, and does not write what it finds', async () => {
    writeFileSync(tasksJson(), example('tasks.json'))
    const store = home.store()
    await store.ensureTasksLoaded()
    await store.readDetails()
    expect(store.ids).toEqual(['0001_extract_sprites', '0002_read'])
    await store.flush()
    expect(home.read('tasks.json')).toBe(example('tasks.json'))
  })

  it('rewrites tasks.json atomically: who reads it never sees a part', async () => {
    const store = home.store()
    const ids = await Promise.all(
      Array.from({ length: 5 }, () =>
        store.create({ name: 'read', type: 'background', operation: 'read', args: {}, startedAt: Date.now() }, null),
      ),
    )
    const state = { writing: true }
    const writer = (async () => {
      for (let round = 1; round <= 40; round++) {
        await Promise.all(ids.map((id) => store.change(id, { iterations: round, updatedAt: Date.now() })))
        await store.flush()
      }
      state.writing = false
    })()
    let looks = 0
    while (state.writing) {
      if (existsSync(tasksJson())) expect(() => home.entries).not.toThrow()
      looks++
      await new Promise((resolve) => setImmediate(resolve))
    }
    await writer
    expect(looks).toBeGreaterThan(10)
    expect(home.entries.map(({ iterations }) => iterations)).toEqual([40, 40, 40, 40, 40])
  })

  it('writes timestamps in UTC as YYYY-MM-DDTHH-mm-ssZ everywhere', async () => {
    const tasks = home.tasks([read])
    const { id } = await tasks.start({
      operation: 'read',
      machine,
      type: 'background',
      args: {},
      intervalMs: 1,
      maxIterations: 1,
    })
    await tasks.wait(id, done)
    const files = ['task.json', 'result.json', 'log.txt']
      .map((name) => home.read(`tasks/background/${id}/${name}`))
      .join('\n')
    const times = files.match(/\d{4}-\d\d-\d\dT[^"\]]*/g) ?? []
    expect(times.length).toBeGreaterThan(5)
    for (const time of times) expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/)
  })
})
