/** The state folder of spec 001 in the hands of several programs: c64bridge without a lock, our own processes, and kill -9. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { C64bridge } from '../peers/c64bridge'
import { deadProcess, scripted, TaskHome } from '../support/taskHome'

const machine = 'vice:6502'
const read = scripted('read', () => Promise.resolve({ summary: { bytes: '00' } }))
const write = scripted('write', () => Promise.resolve({ summary: {} }), true)
const newTask = (name: string) => ({
  name,
  type: 'background' as const,
  operation: 'read',
  args: {},
  intervalMs: 60_000,
  startedAt: Date.now(),
})

let home: TaskHome
beforeEach(() => {
  home = new TaskHome()
})
afterEach(() => home.close())

const generation = (name: string) => cpSync(resolve('test/fixtures/c64bridge', name), home.path, { recursive: true })
const listed = async (tasks: ReturnType<TaskHome['tasks']>) => (await tasks.list(null)).tasks

describe('c64bridge’s real files', () => {
  it('of the oldest generation: numbers as times, no type and no folder', async () => {
    generation('epoch')
    const [task] = await listed(home.tasks([read]))
    expect(task).toMatchObject({
      id: 't1',
      type: 'background',
      operation: 'read_memory',
      status: 'completed',
      iterations: 2,
      startedAt: 1761567219484,
      stoppedAt: 1761567219495,
    })
    expect(task).toMatchObject({ own: false, orphan: 'noFolder', interrupted: null })
  })

  it('of the second generation: the spec’s times', async () => {
    generation('dashed')
    const tasks = home.tasks([read])
    expect(await listed(tasks)).toMatchObject([
      { id: '0001_watch_screen', startedAt: Date.UTC(2025, 9, 27, 12, 1), orphan: null, notices: [] },
    ])
    expect((await tasks.show('0001_watch_screen')).log.text).toMatch(/completed iterations=3\n$/)
  })

  it('of the third generation: ISO times, a stale result, and one that says it runs and does not', async () => {
    generation('iso')
    const tasks = home.tasks([read])
    const [watch, poke, zombie] = await listed(tasks)
    expect(watch).toMatchObject({
      status: 'completed',
      startedAt: Date.UTC(2026, 10, 21, 5, 55, 42, 429),
      runner: 'nobody',
      interrupted: null,
    })
    expect(poke).toMatchObject({ status: 'error', lastError: 'boom', maxIterations: null })
    expect(zombie).toMatchObject({ id: '0003_watch border', status: 'running', runner: 'nobody', resumable: false })
    expect(zombie?.interrupted).toContain('due since 2026-11-21T05-55-50Z')
    expect(await tasks.stop('0003_watch border')).toMatchObject({ status: 'stopped', interrupted: null })
  })

  it('are not written when they are only read', async () => {
    generation('iso')
    const before = home.read('tasks.json')
    const tasks = home.tasks([read])
    await tasks.begin()
    await tasks.close()
    expect(home.read('tasks.json')).toBe(before)
  })
})

describe('beside a c64bridge that writes its own view whole', () => {
  it('entries of ours that it drops come back by themselves, and the log says so', async () => {
    const tasks = home.tasks([read])
    await tasks.begin()
    const foreign = new C64bridge(home.path)
    const { id } = await tasks.start({ operation: 'read', machine, type: 'background', args: {}, intervalMs: 60_000 })
    // By its second write the store knows that it is in the list.
    await expect.poll(() => home.entries).toMatchObject([{ id, iterations: 1 }])
    foreign.start('poke', 'write', { address: '$D020', bytes: '$00' })
    expect(home.entries.map((entry) => entry.id)).toEqual(['0001_poke'])
    await expect.poll(() => home.entries.map((entry) => entry.id)).toEqual(['0001_poke', id])
    await expect
      .poll(() => home.read(`tasks/background/${id}/log.txt`))
      .toContain('its entry in tasks.json was gone, and is put back')
    expect((await listed(tasks)).map((task) => task.id).sort()).toEqual(['0001_poke', id])
  })

  it('its entries, with all their fields, are as it wrote them after ours change', async () => {
    const foreign = new C64bridge(home.path)
    foreign.start('watch', 'read', { address: '$0400', length: 3 })
    const [theirs] = home.entries
    const tasks = home.tasks([read])
    const { id } = await tasks.start({ operation: 'read', machine, type: 'background', args: {}, intervalMs: 60_000 })
    await tasks.stop(id)
    await expect.poll(() => home.entries.length).toBe(2)
    expect(home.entries[0]).toEqual(theirs)
  })

  it('what it makes of our running task when it starts is not believed', async () => {
    const tasks = home.tasks([read])
    const { id } = await tasks.start({ operation: 'read', machine, type: 'background', args: {}, intervalMs: 60_000 })
    await expect.poll(() => existsSync(join(home.path, 'tasks.json')) && home.entries.length).toBe(1)
    new C64bridge(home.path).restart()
    expect(home.entries).toMatchObject([{ id, status: 'stopped' }])
    await expect.poll(() => home.entries).toMatchObject([{ id, status: 'running', lastError: null }])
  })

  it('its changes show without being asked for', async () => {
    const tasks = home.tasks([read])
    await tasks.begin()
    const foreign = new C64bridge(home.path)
    foreign.start('watch', 'read', {})
    await expect
      .poll(() => home.changes.flatMap(({ changed }) => changed.map(({ id, status }) => `${id} ${status}`)))
      .toContain('0001_watch running')
    foreign.stop('watch')
    await expect
      .poll(() => home.changes.flatMap(({ changed }) => changed.map(({ id, status }) => `${id} ${status}`)))
      .toContain('0001_watch stopped')
  })
})

describe('what does not fit together', () => {
  it('a truncated tasks.json: the last good version is shown, the error has its place, and nothing is overwritten', async () => {
    const tasks = home.tasks([read])
    const { id } = await tasks.start({ operation: 'read', machine, type: 'background', args: {}, intervalMs: 60_000 })
    await expect.poll(() => existsSync(join(home.path, 'tasks.json')) && home.entries.length).toBe(1)
    const whole = home.read('tasks.json')
    writeFileSync(join(home.path, 'tasks.json'), whole.slice(0, 60))
    await expect.poll(() => home.problems.length).toBe(1)
    expect(home.problems[0]).toMatchObject({
      file: 'tasks.json',
      message: expect.stringMatching(/^tasks\.json:\d+:\d+: .* was expected/) as string,
    })
    await tasks.stop(id)
    const { id: next } = await tasks.start({ operation: 'read', machine, type: 'foreground', args: {} })
    await tasks.wait(next, new AbortController().signal)
    expect(home.read('tasks.json')).toBe(whole.slice(0, 60))
    expect((await listed(tasks)).map((task) => task.id)).toEqual([id, next])
    writeFileSync(join(home.path, 'tasks.json'), whole)
    await expect
      .poll(() => home.entries.map(({ id: of, status }) => [of, status]))
      .toEqual([
        [id, 'stopped'],
        [next, 'completed'],
      ])
    await expect.poll(() => home.problems).toEqual([])
  })

  it('a tasks.json that is being written is waited for', async () => {
    const text = JSON.stringify({ tasks: [] })
    writeFileSync(join(home.path, 'tasks.json'), text.slice(0, 5))
    // After it was read once, of which nothing tells.
    setTimeout(() => writeFileSync(join(home.path, 'tasks.json'), text), 150)
    await home.tasks([read]).begin()
    expect(home.problems).toEqual([])
  })

  it('a task of ours whose process is gone is interrupted, with the evidence, and can be resumed with its iterations', async () => {
    const before = home.store(deadProcess)
    const id = await before.create(newTask('read'), machine)
    await before.change(id, { iterations: 7, updatedAt: Date.now() })
    await before.close()
    const tasks = home.tasks([read])
    const [task] = await listed(tasks)
    expect(task).toMatchObject({ status: 'stopped', runner: 'nobody', resumable: true, iterations: 7 })
    expect(task?.interrupted).toMatch(/process 4194303, started at 2025-10-27T00-00-00Z, is gone\. Last updated at /)
    expect(await tasks.resume(id)).toMatchObject({ status: 'running', runner: 'here', interrupted: null })
    await expect.poll(async () => (await listed(tasks))[0]?.iterations).toBe(8)
    await expect(tasks.resume(id)).rejects.toThrow('cannot be resumed')
  })

  it.each([
    ['always', 'here', 'nobody'],
    ['ask', 'nobody', 'nobody'],
    ['never', 'nobody', 'nobody'],
  ] as const)(
    'after a restart, with the setting %s, an interrupted task that reads is run by %s and one that writes by %s',
    async (resume, reading, writing) => {
      const before = home.store(deadProcess)
      const one = await before.create(newTask('read'), machine)
      const other = await before.create({ ...newTask('write'), operation: 'write' }, machine)
      await before.close()
      const tasks = home.tasks([read, write], { settings: { resume } })
      await tasks.begin()
      const runners = Object.fromEntries((await listed(tasks)).map(({ id, runner }) => [id, runner]))
      expect(runners).toEqual({ [one]: reading, [other]: writing })
    },
  )

  it('a task that runs in another process that is alive is run elsewhere, and neither stopped nor deleted from here', async () => {
    const sleeper = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'])
    const other = home.store({ pid: sleeper.pid ?? 0, startedAt: Date.now() })
    const id = await other.create(newTask('read'), machine)
    await other.flush()
    const tasks = home.tasks([read])
    expect(await listed(tasks)).toMatchObject([{ id, runner: 'elsewhere', interrupted: null }])
    await expect(tasks.stop(id)).rejects.toMatchObject({ code: 'BUSY' })
    await expect(tasks.delete(id)).rejects.toMatchObject({ code: 'BUSY' })
    sleeper.kill('SIGKILL')
    await once(sleeper, 'exit')
    expect(await listed(tasks)).toMatchObject([
      { id, runner: 'nobody', interrupted: expect.stringContaining('is gone') as string },
    ])
  })

  it('a folder without an entry: one of ours gets its entry back, a foreign one waits to be adopted', async () => {
    const before = home.store()
    const ours = await before.create(newTask('ours'), machine)
    await before.change(ours, { status: 'stopped', updatedAt: Date.now(), stoppedAt: Date.now() })
    await before.close()
    generation('iso')
    writeFileSync(join(home.path, 'tasks.json'), '{"tasks": []}')
    rmSync(join(home.path, 'tasks/background/0003_watch border'), { recursive: true })
    const tasks = home.tasks([read])
    await tasks.begin()
    await expect.poll(() => home.entries.map(({ id }) => id)).toEqual([ours])
    const foreign = (await listed(tasks)).filter(({ orphan }) => orphan === 'noEntry')
    expect(foreign.map(({ id, lastError }) => [id, lastError])).toEqual([
      ['0001_watch_screen', null],
      ['0002_poke', 'boom'],
    ])
    expect(await tasks.adopt('0002_poke')).toMatchObject({ orphan: null, status: 'error' })
    expect(home.entries).toMatchObject([{ id: ours }, { id: '0002_poke', lastError: 'boom' }])
    expect(home.entries[1]).not.toHaveProperty('resultPath')
  })

  it('an entry without a folder: shown, and dropped when somebody says so', async () => {
    generation('iso')
    rmSync(join(home.path, 'tasks/background/0002_poke'), { recursive: true })
    const tasks = home.tasks([read])
    expect((await listed(tasks)).map(({ id, orphan }) => [id, orphan])).toContainEqual(['0002_poke', 'noFolder'])
    await tasks.removeEntry('0002_poke')
    expect(home.entries.map(({ id }) => id)).toEqual(['0001_watch_screen', '0003_watch border'])
    await expect(tasks.removeEntry('0001_watch_screen')).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('ids and folders that lead elsewhere are never a path', async () => {
    const outside = `${home.path}-outside`
    mkdirSync(join(outside, 'artifacts'), { recursive: true })
    writeFileSync(join(outside, 'log.txt'), 'secret')
    try {
      mkdirSync(join(home.path, 'tasks'))
      symlinkSync(outside, join(home.path, 'tasks/0002_link'))
      const entry = (id: string, folder: string) => ({
        id,
        name: 'x',
        type: 'foreground',
        operation: 'read',
        args: {},
        status: 'completed',
        folder,
      })
      const entries = [entry('../../etc', '../../etc'), entry('0002_link', 'tasks/0002_link'), entry('0003_x', outside)]
      writeFileSync(join(home.path, 'tasks.json'), JSON.stringify({ tasks: entries }))
      const tasks = home.tasks([read])
      for (const { id, orphan, notices } of await listed(tasks)) {
        expect(orphan).toBe('noFolder')
        if (id !== '0002_link') expect(notices.length).toBeGreaterThan(0)
        await expect(tasks.readLog(id, 0)).rejects.toMatchObject({ code: 'NOT_FOUND' })
        await tasks.delete(id)
      }
      expect(readFileSync(join(outside, 'log.txt'), 'utf8')).toBe('secret')
    } finally {
      rmSync(outside, { recursive: true, force: true })
    }
  })

  it('an artifact of a path that leads out of its folder is refused', async () => {
    const leaving = scripted('leave', ({ artifact }) => artifact('../../../x', 'x').then(() => ({ summary: {} })))
    const tasks = home.tasks([leaving])
    const { id } = await tasks.start({ operation: 'leave', machine, type: 'foreground', args: {} })
    expect(await tasks.wait(id, new AbortController().signal)).toMatchObject({
      status: 'error',
      lastError: expect.stringContaining('nowhere else') as string,
    })
  })

  it('a home that cannot be made is an error in one sentence, and is tried again', async () => {
    const tasks = home.tasks([read])
    rmSync(home.path, { recursive: true })
    writeFileSync(home.path, 'in the way')
    await expect(tasks.list(null)).rejects.toMatchObject({
      code: 'INVALID',
      message: expect.stringMatching(/could not be written \((ENOTDIR|EEXIST)\)/) as string,
    })
    rmSync(home.path)
    expect(await tasks.list(null)).toMatchObject({ tasks: [] })
  })

  it('a tasks.json that somebody removed is made again, with our tasks in it', async () => {
    const tasks = home.tasks([read])
    const { id } = await tasks.start({ operation: 'read', machine, type: 'background', args: {}, intervalMs: 60_000 })
    await expect.poll(() => existsSync(join(home.path, 'tasks.json')) && home.entries.length).toBe(1)
    renameSync(join(home.path, 'tasks.json'), join(home.path, 'gone.json'))
    await expect
      .poll(() => existsSync(join(home.path, 'tasks.json')) && home.entries.map((entry) => entry.id))
      .toEqual([id])
  })
})
