/** How tasks run: schedules, failures, lost machines, and what is told of them. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '@shared/contract/errors'
import type { Task } from '@shared/contract/tasks'
import { deadProcess, scripted, TaskHome } from '../support/taskHome'

const machine = 'vice:6502'
const none = new AbortController().signal
const background = (operation: string, more: object = {}) => ({
  operation,
  machine,
  type: 'background' as const,
  args: {},
  intervalMs: 10,
  ...more,
})

let home: TaskHome
beforeEach(() => {
  home = new TaskHome()
})
afterEach(() => home.close())

const stateOf = async (tasks: ReturnType<TaskHome['tasks']>, id: string): Promise<Task | undefined> =>
  (await tasks.list(null)).tasks.find((task) => task.id === id)

describe('a schedule', () => {
  it('runs at its rate, from the first run on, and none of them too early', async () => {
    const starts: number[] = []
    const tick = scripted('tick', () => {
      starts.push(performance.now())
      return Promise.resolve({ summary: {} })
    })
    const tasks = home.tasks([tick])
    const before = performance.now()
    const { id } = await tasks.start(background('tick', { intervalMs: 20, maxIterations: 25 }))
    const { missedTicks } = await tasks.wait(id, none)
    const last = starts.at(-1) ?? 0
    expect(starts).toHaveLength(25)
    // Also those that a busy computer left out have had their time.
    expect(last - before).toBeGreaterThan((24 + missedTicks) * 20 - 5)
  })

  it('never runs twice at once, and counts the runs that it leaves out', async () => {
    let running = 0
    const seen: number[] = []
    const slow = scripted('slow', async () => {
      seen.push(++running)
      // Nearly three times its interval: what is left out is counted by the clock.
      await wait(55)
      running--
      return { summary: {} }
    })
    const tasks = home.tasks([slow])
    const { id } = await tasks.start(background('slow', { intervalMs: 20, maxIterations: 4 }))
    await expect.poll(async () => (await stateOf(tasks, id))?.missedTicks ?? 0).toBeGreaterThan(2)
    await tasks.wait(id, none)
    expect(seen).toEqual([1, 1, 1, 1])
    expect(home.read(`tasks/background/${id}/log.txt`)).toMatch(
      /\d+ runs were skipped because the run before took too long/,
    )
  })

  it('ends when the operation has reached what it was for', async () => {
    const poll = scripted('poll', ({ iteration }) =>
      Promise.resolve({ summary: { found: iteration === 3 }, done: iteration === 3 }),
    )
    const tasks = home.tasks([poll])
    const { id } = await tasks.start(background('poll'))
    expect(await tasks.wait(id, none)).toMatchObject({ status: 'completed', iterations: 3 })
    expect(home.json(`tasks/background/${id}/result.json`)).toMatchObject({
      status: 'completed',
      summary: { found: true },
    })
  })

  it('has each of its counts on disk soon, also when no run follows for long', async () => {
    let runs = 0
    const counted = scripted('read', () =>
      ++runs > 2 ? new Promise(() => undefined) : Promise.resolve({ summary: {} }),
    )
    const tasks = home.tasks([counted])
    const { id } = await tasks.start({ operation: 'read', machine, type: 'background', args: {}, intervalMs: 20 })
    await expect.poll(() => home.entries).toMatchObject([{ id, iterations: 2 }])
  })

  it('is shown with its next run and its iterations while it goes on, and stopped with all others', async () => {
    const tasks = home.tasks([scripted('tick', () => Promise.resolve({ summary: {} }))])
    const { id } = await tasks.start(background('tick'))
    await tasks.start(background('tick', { intervalMs: 60_000 }))
    await expect.poll(async () => (await stateOf(tasks, id))?.iterations ?? 0).toBeGreaterThan(3)
    expect((await stateOf(tasks, id))?.nextRunAt).toBeTypeOf('number')
    expect(tasks.live).toHaveLength(2)
    expect(await tasks.stopAll()).toBe(2)
    expect((await tasks.list(null)).tasks.map(({ status, nextRunAt }) => [status, nextRunAt])).toEqual([
      ['stopped', null],
      ['stopped', null],
    ])
  })
})

describe('the runs of a recurring task', () => {
  const sampling = scripted('sample', async ({ iteration }) => {
    // Over three intervals, so that runs are left out.
    if (iteration === 3) await wait(70)
    return { summary: { samples: 1, missed: 0, last: iteration }, counts: { samples: 1, missed: 0 }, value: iteration }
  })
  const runsOf = (folder: string) =>
    home
      .read(`${folder}/artifacts/runs.ndjson`)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { run: number; value: unknown })

  it('are all in its result, its log and its artifacts', async () => {
    const tasks = home.tasks([sampling])
    const { id } = await tasks.start(background('sample', { intervalMs: 20, maxIterations: 8 }))
    const { folder } = await tasks.wait(id, none)
    const { summary } = home.json(`${folder}/result.json`) as { summary: { missed: number } }
    expect(summary.missed).toBeGreaterThan(1)
    expect(home.read(`${folder}/log.txt`)).toContain(`${summary.missed} runs were skipped`)
    expect(home.json(`${folder}/result.json`)).toMatchObject({
      summary: { samples: 8, runs: 8, last: 8 },
      artifacts: { runs: 'artifacts/runs.ndjson' },
    })
    expect(runsOf(folder).map(({ run, value }) => [run, value])).toEqual(
      Array.from({ length: 8 }, (_, index) => [index + 1, index + 1]),
    )
    expect(home.read(`${folder}/log.txt`).match(/iteration=\d+ \d+$/gm)).toHaveLength(8)
  })

  it('go on in all of them when the task is resumed in another process, which knows those that were not counted yet', async () => {
    const store = home.store(deadProcess)
    const id = await store.create(
      { name: 'sample', type: 'background', operation: 'sample', args: {}, intervalMs: 60_000, startedAt: Date.now() },
      machine,
    )
    await store.change(id, { iterations: 1, updatedAt: Date.now() })
    await store.close()
    const folder = join(home.path, 'tasks/background', id)
    mkdirSync(join(folder, 'artifacts'))
    const lines = [1, 2].map((run) => `${JSON.stringify({ run, value: run })}\n`)
    writeFileSync(join(folder, 'artifacts/runs.ndjson'), lines.join(''))
    writeFileSync(
      join(folder, 'result.json'),
      JSON.stringify({ status: 'running', summary: { samples: 2, runs: 1, missed: 4 } }),
    )
    const tasks = home.tasks([sampling])
    expect((await tasks.list(null)).tasks).toMatchObject([{ id, iterations: 2, resumable: true }])
    await tasks.resume(id)
    await expect.poll(async () => (await tasks.show(id)).task.iterations).toBe(3)
    await tasks.stop(id)
    expect((await tasks.show(id)).result).toMatchObject({ summary: { samples: 3, runs: 3, missed: 4 } })
    expect(runsOf(`tasks/background/${id}`).map(({ run }) => run)).toEqual([1, 2, 3])
  })
})

describe('a run that fails', () => {
  const failing = (times: number) => {
    let failures = 0
    return scripted('fail', () =>
      failures++ < times
        ? Promise.reject(new AppError('TIMEOUT', 'It took too long.'))
        : Promise.resolve({ summary: {} }),
    )
  }

  it('ends the task as error, with what went wrong', async () => {
    const tasks = home.tasks([failing(1)])
    const { id } = await tasks.start(background('fail'))
    expect(await tasks.wait(id, none)).toMatchObject({ status: 'error', lastError: 'It took too long.', iterations: 0 })
  })

  it.each(['background', 'foreground'] as const)(
    'of a %s task is tried again as often as its arguments say',
    async (type) => {
      const tasks = home.tasks([failing(2)])
      const { id } = await tasks.start({
        ...background('fail'),
        type,
        ...(type === 'foreground' ? { intervalMs: undefined } : { maxIterations: 1 }),
        args: { retries: 2 },
      })
      expect(await tasks.wait(id, none)).toMatchObject({ status: 'completed' })
      expect(home.read(`${(await stateOf(tasks, id))?.folder ?? ''}/log.txt`)).toContain(
        'failed, is tried again (2 of 2): It took too long.',
      )
    },
  )

  it('that does not heed being stopped is left behind', async () => {
    const tasks = home.tasks([scripted('deaf', () => new Promise(() => undefined))])
    const { id } = await tasks.start({ operation: 'deaf', machine, type: 'foreground', args: {} })
    expect(await tasks.stop(id)).toMatchObject({ status: 'stopped' })
  })
})

describe('a lost machine', () => {
  const lost = () => {
    home.machine.refuse = true
    home.machine.become('lost')
  }
  const back = () => {
    home.machine.refuse = false
  }
  const tick = (writes: boolean) => scripted('tick', () => Promise.resolve({ summary: {} }), writes)

  it('pauses the schedule of a task that reads, says so, and lets it go on when it is back', async () => {
    const tasks = home.tasks([tick(false)])
    const { id } = await tasks.start(background('tick'))
    await expect.poll(async () => (await stateOf(tasks, id))?.iterations ?? 0).toBeGreaterThan(0)
    lost()
    await expect.poll(async () => (await stateOf(tasks, id))?.waiting).toMatch(/^The machine is lost: /)
    const before = (await stateOf(tasks, id))?.iterations ?? 0
    expect(await stateOf(tasks, id)).toMatchObject({ status: 'running', nextRunAt: null })
    back()
    await expect.poll(async () => (await stateOf(tasks, id))?.iterations ?? 0).toBeGreaterThan(before)
    expect(await stateOf(tasks, id)).toMatchObject({ waiting: null })
    // The log follows the state: its lines are written one after the other.
    await expect
      .poll(() => home.read(`tasks/background/${id}/log.txt`))
      .toMatch(/waits for its machine, 600 s at most: .*\n.*goes on: its machine is back/)
  })

  it('lets a task that writes go on only when a person says so', async () => {
    const tasks = home.tasks([tick(true)])
    const { id } = await tasks.start(background('tick'))
    await expect.poll(async () => (await stateOf(tasks, id))?.iterations ?? 0).toBeGreaterThan(0)
    lost()
    await expect.poll(async () => (await stateOf(tasks, id))?.waiting).not.toBeNull()
    back()
    await expect.poll(async () => (await stateOf(tasks, id))?.resumable).toBe(true)
    const before = (await stateOf(tasks, id))?.iterations ?? 0
    await tasks.resume(id)
    await expect.poll(async () => (await stateOf(tasks, id))?.iterations ?? 0).toBeGreaterThan(before)
  })

  it('that does not come back in time ends the task as error', async () => {
    const tasks = home.tasks([tick(false)])
    const { id } = await tasks.start(background('tick', { args: { waitForMachine: 0 } }))
    await expect.poll(async () => (await stateOf(tasks, id))?.iterations ?? 0).toBeGreaterThan(0)
    lost()
    expect(await tasks.wait(id, none)).toMatchObject({
      status: 'error',
      lastError: expect.stringContaining('did not come back within 0 s') as string,
    })
  })

  it('that never came is an error at once', async () => {
    home.machine.refuse = true
    const tasks = home.tasks([tick(false)])
    const { id } = await tasks.start(background('tick'))
    expect(await tasks.wait(id, none)).toMatchObject({ status: 'error', lastError: 'Nobody answers.' })
  })
})

describe('what is told of tasks', () => {
  it('comes as whole tasks, with revisions that follow each other', async () => {
    const tasks = home.tasks([
      scripted('work', ({ progress, log }) => {
        progress(1, 4, 'a quarter')
        log('a line')
        return Promise.resolve({ summary: {} })
      }),
    ])
    const { id } = await tasks.start({ operation: 'work', machine, type: 'foreground', args: {} })
    await tasks.wait(id, none)
    await expect.poll(() => home.changes.at(-1)?.changed[0]).toMatchObject({ id, status: 'completed' })
    for (const [index, change] of home.changes.slice(1).entries())
      expect(change.from).toBe(home.changes[index]?.revision)
    await tasks.delete(id)
    await expect.poll(() => home.changes.at(-1)).toMatchObject({ changed: [], removed: [id] })
  })

  it('comes in pages that go on where the last one ended', async () => {
    const store = home.store()
    const ids: string[] = []
    for (let count = 0; count < 520; count++)
      ids.push(
        await store.create({ name: 'read', type: 'foreground', operation: 'read', args: {}, startedAt: 0 }, null),
      )
    await store.flush()
    const tasks = home.tasks([])
    const first = await tasks.list(null)
    expect(first.tasks).toHaveLength(500)
    const second = await tasks.list(first.next)
    expect([...first.tasks, ...second.tasks].map(({ id }) => id)).toEqual(ids)
    expect(second.next).toBeNull()
  })
})
