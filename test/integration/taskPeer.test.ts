/** A c64bridge that is started on a home that we filled: what is ours stays ours, what is its stays as it wrote it. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Task } from '@shared/contract/tasks'
import type { Tasks } from '../../src-main/tasks/tasks'
import { C64bridge } from '../peers/c64bridge'
import { deadProcess, scripted, TaskHome } from '../support/taskHome'

const machine = 'vice:6502'
const none = new AbortController().signal
const read = scripted('read', () => Promise.resolve({ summary: { bytes: '00' } }))
const snapshot = scripted('snapshot', async ({ artifact }) => {
  await artifact('memory.bin', 'as it was')
  return { summary: {} }
})
const compare = scripted('compare', async ({ readArtifact }) => {
  const bytes = await readArtifact('0005_snapshot', 'memory.bin')
  return { summary: { found: Buffer.from(bytes).toString() } }
})
const operations = [read, snapshot, compare]

let home: TaskHome
beforeEach(() => {
  home = new TaskHome()
})
afterEach(() => home.close())

const run = async (tasks: Tasks, operation: string, name = operation) => {
  const { id } = await tasks.start({ operation, name, machine, type: 'foreground', args: {} })
  await tasks.wait(id, none)
}
const recur = async (tasks: Tasks, name: string) => {
  const task = { operation: 'read', name, machine, type: 'background', args: {}, intervalMs: 1 } as const
  const { id } = await tasks.start({ ...task, maxIterations: 3 })
  await tasks.wait(id, none)
}

/** Finished foreground tasks, several of one name, two recurring ones, and one that was interrupted. */
async function fill(): Promise<void> {
  const tasks = home.tasks(operations)
  for (let count = 0; count < 4; count++) await run(tasks, 'read')
  await run(tasks, 'snapshot')
  await recur(tasks, 'watch')
  await recur(tasks, 'watch')
  await tasks.close()
  const killed = home.store(deadProcess)
  await killed.create(
    { name: 'killed', type: 'background', operation: 'read', args: {}, intervalMs: 60_000, startedAt: 1_000_000 },
    machine,
  )
  await killed.close()
}

/** All that a person sees of the tasks. */
const listed = async (tasks: Tasks): Promise<Task[]> => (await tasks.list(null)).tasks
const ours = (tasks: readonly Task[]) => tasks.filter(({ own }) => own)
const files = (tasks: readonly Task[]) =>
  tasks.map(({ folder }) => (home.json(`${folder}/task.json`) as { machine?: string; revision?: number }).machine)

describe.each(['started', 'at work', 'stopping everything'] as const)('a c64bridge %s on our home', (state) => {
  const peer = () => {
    const bridge = new C64bridge(home.path)
    bridge.restart()
    if (state === 'started') return bridge
    bridge.start('poke', 'write', { address: '$D020', bytes: '$00' })
    bridge.iterate('poke')
    if (state === 'stopping everything') bridge.stopAll()
    return bridge
  }

  it('takes nothing from any of our tasks: neither from a bridge that runs nor from the next one', async () => {
    await fill()
    const watching = home.tasks(operations)
    await watching.begin()
    const before = await listed(watching)
    expect(before).toHaveLength(8)
    await expect.poll(() => home.entries.map(({ status }) => status)).not.toContain('running')
    const entries = home.entries
    peer()
    const seen = async () => ours(await listed(watching))
    await expect.poll(seen).toEqual(before)
    await expect.poll(() => files(before)).toEqual(before.map(() => machine))
    await expect
      .poll(() => entries.map((entry) => home.entries.find(({ id }) => id === entry.id)))
      .toMatchObject(entries)
    await watching.close()

    peer()
    const next = home.tasks(operations)
    await next.begin()
    expect(ours(await listed(next))).toEqual(before)
    expect(files(before)).toEqual(before.map(() => machine))
    await expect
      .poll(() => entries.map((entry) => home.entries.find(({ id }) => id === entry.id)))
      .toMatchObject(entries)
  })

  it('leaves artifacts, results, logs and recordings where our commands find them', async () => {
    await fill()
    peer()
    const tasks = home.tasks(operations)
    await tasks.begin()
    const { id } = await tasks.start({ operation: 'compare', machine, type: 'foreground', args: {} })
    await tasks.wait(id, none)
    expect((await tasks.show(id)).result).toMatchObject({ summary: { found: 'as it was' } })
    const { task, result, artifacts, log } = await tasks.show('0005_snapshot')
    expect(task).toMatchObject({ type: 'foreground', folder: 'tasks/0005_snapshot', machine, orphan: null })
    expect(result).toMatchObject({ status: 'completed', summary: {} })
    expect(artifacts).toMatchObject([{ artifact: 'artifacts/memory.bin' }])
    expect(log.text).toContain('completed')
    expect((await tasks.recorded()).map((recorded) => recorded.folder)).toContain(
      join(home.path, 'tasks/0005_snapshot'),
    )
  })

  it('does not keep a task that is deleted', async () => {
    await fill()
    peer()
    const tasks = home.tasks(operations)
    await tasks.begin()
    for (const id of ['0005_snapshot', '0007_watch']) await tasks.delete(id)
    for (const id of ['0005_snapshot', '0007_watch']) {
      expect(existsSync(join(home.path, 'tasks', id))).toBe(false)
      expect(existsSync(join(home.path, 'tasks/background', id))).toBe(false)
      expect(home.entries.map((entry) => entry.id)).not.toContain(id)
    }
    await tasks.close()
    const next = home.tasks(operations)
    await next.begin()
    expect((await listed(next)).map(({ id }) => id)).not.toContain('0005_snapshot')
  })
})

describe('beside a c64bridge at work', () => {
  it('what it keeps of its own tasks stays as it wrote it', async () => {
    await fill()
    const tasks = home.tasks(operations)
    await tasks.begin()
    const bridge = new C64bridge(home.path)
    bridge.restart()
    const id = bridge.start('poke', 'write', { address: '$D020', bytes: '$00' })
    const mine = home.entries.find((entry) => entry.id === id)
    const file = home.read(`tasks/background/${id}/task.json`)
    await expect.poll(() => home.entries).toHaveLength(9)
    expect(home.entries.find((entry) => entry.id === id)).toEqual(mine)
    expect(home.read(`tasks/background/${id}/task.json`)).toBe(file)
    expect((await tasks.show(id)).task).toMatchObject({ own: false, status: 'running', operation: 'write' })
  })

  it('a task of its own with the id of one of ours is told apart', async () => {
    await fill()
    const bridge = new C64bridge(home.path)
    // It reuses the id of the last task of that name.
    expect(bridge.start('snapshot', 'read_screen', {})).toBe('0005_snapshot')
    const tasks = home.tasks(operations)
    await tasks.begin()
    const { task } = await tasks.show('0005_snapshot')
    expect(task).toMatchObject({ own: true, machine, type: 'foreground', operation: 'snapshot', status: 'completed' })
    expect(task.notices.join()).toContain('tasks/background/0005_snapshot')
    await tasks.delete('0005_snapshot')
    expect(existsSync(join(home.path, 'tasks/0005_snapshot'))).toBe(false)
    expect(existsSync(join(home.path, 'tasks/background/0005_snapshot/task.json'))).toBe(true)
  })

  it('one of ours that runs goes on, and is told once in its log that its entry is put back', async () => {
    const tasks = home.tasks(operations)
    const first = await tasks.start({ operation: 'read', machine, type: 'background', args: {}, intervalMs: 60_000 })
    const { id } = await tasks.start({ operation: 'read', machine, type: 'background', args: {}, intervalMs: 60_000 })
    await expect.poll(() => existsSync(join(home.path, 'tasks.json')) && home.entries.length).toBe(2)
    await expect.poll(() => home.entries.map(({ iterations }) => iterations)).toEqual([1, 1])
    const bridge = new C64bridge(home.path)
    bridge.restart()
    bridge.start('poke', 'write', {})
    for (let round = 0; round < 5; round++) {
      await expect.poll(() => home.entries.find((entry) => entry.id === first.id)).toMatchObject({ status: 'running' })
      bridge.iterate('poke')
    }
    await expect.poll(() => home.entries.map(({ status }) => status)).toEqual(Array(3).fill('running'))
    for (const own of [first.id, id])
      await expect
        .poll(() => home.json(`tasks/background/${own}/task.json`))
        .toMatchObject({ machine, status: 'running' })
    const log = readFileSync(join(home.path, 'tasks/background', first.id, 'log.txt'), 'utf8')
    expect(log.match(/is put back/g)).toHaveLength(1)
  })

  it('a task that was deleted does not come back with what the peer still writes of it', async () => {
    await fill()
    const bridge = new C64bridge(home.path)
    bridge.restart()
    bridge.start('poke', 'write', {})
    const tasks = home.tasks(operations)
    await tasks.begin()
    for (const id of ['0005_snapshot', '0007_watch']) await tasks.delete(id)
    bridge.iterate('poke')
    expect(home.entries.map((entry) => entry.id)).toContain('0005_snapshot')
    await expect.poll(() => home.entries.map((entry) => entry.id)).not.toContain('0005_snapshot')
    expect(home.entries.map((entry) => entry.id)).not.toContain('0007_watch')
    const gone = async (from: Tasks) => (await listed(from)).map(({ id }) => id).filter((id) => /0005|0007/.test(id))
    expect(await gone(tasks)).toEqual([])
    await tasks.close()
    bridge.iterate('poke')
    const next = home.tasks(operations)
    await next.begin()
    expect(await gone(next)).toEqual([])
    // One that it starts anew under the old name is its own.
    bridge.start('snapshot', 'read', {})
    await expect.poll(() => gone(next)).toEqual(['0005_snapshot'])
  })

  it('what an installation of before kept in task.json only is kept apart from its first start on', async () => {
    await fill()
    rmSync(join(home.path, '.bridgedeck.tasks'), { recursive: true })
    const first = home.tasks(operations)
    await first.begin()
    const before = await listed(first)
    await first.close()
    new C64bridge(home.path).restart()
    const next = home.tasks(operations)
    await next.begin()
    expect(await listed(next)).toEqual(before)
  })

  it('a copy that is damaged, or of another task, is not believed', async () => {
    await fill()
    new C64bridge(home.path).restart()
    mkdirSync(join(home.path, '.bridgedeck.tasks'), { recursive: true })
    writeFileSync(join(home.path, '.bridgedeck.tasks/0006_watch.json'), '{"id": "0006_wat')
    writeFileSync(join(home.path, '.bridgedeck.tasks/0007_watch.json'), home.read('.bridgedeck.tasks/0008_killed.json'))
    const tasks = home.tasks(operations)
    await tasks.begin()
    const shown = (await listed(tasks)).filter(({ name }) => name === 'watch')
    expect(shown.map(({ own, machine: on }) => [own, on])).toEqual([
      // The peer knows the last one of a name only, and left this one alone.
      [true, machine],
      [false, null],
    ])
  })
})
