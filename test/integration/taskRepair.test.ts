/** A tasks.json that is damaged: what is shown, what a repair would make of it, and what is kept. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { C64bridge } from '../peers/c64bridge'
import { scripted, TaskHome } from '../support/taskHome'

const machine = 'vice:6502'
const read = scripted('read', () => Promise.resolve({ summary: { bytes: '00' } }))

let home: TaskHome
let whole: string
beforeEach(async () => {
  home = new TaskHome()
  new C64bridge(home.path).start('poke', 'write', { address: '$D020', bytes: '$00' })
  const tasks = home.tasks([read])
  for (let count = 0; count < 20; count++) {
    const { id } = await tasks.start({ operation: 'read', machine, type: 'foreground', args: {} })
    await tasks.wait(id, new AbortController().signal)
  }
  await tasks.close()
  whole = home.read('tasks.json')
})
afterEach(() => home.close())

const damage = (text: string) => writeFileSync(join(home.path, 'tasks.json'), text)
const listed = async (tasks: ReturnType<TaskHome['tasks']>) => (await tasks.list(null)).tasks

describe.each([
  ['torn in the middle', () => whole.slice(0, whole.length / 2)],
  ['empty', () => ''],
  ['full of zeros', () => '\0'.repeat(whole.length)],
  ['a list', () => '[]'],
  ['without its tasks', () => '{"tasks": null}'],
])('a tasks.json that is %s', (_, damaged) => {
  it('hides no task of ours, and is neither written nor called good', async () => {
    damage(damaged())
    const tasks = home.tasks([read])
    await tasks.begin()
    const shown = await listed(tasks)
    expect(shown.filter(({ own }) => own)).toHaveLength(20)
    expect(shown.every(({ own, status, machine: on }) => !own || (status === 'completed' && on === machine))).toBe(true)
    expect((await tasks.list(null)).problems).toMatchObject([{ file: 'tasks.json', repairable: true }])
    expect(home.read('tasks.json')).toBe(damaged())
    const [, second] = shown
    expect(home.read(`${second?.folder ?? ''}/log.txt`)).not.toContain('put back')
  })

  it('is rebuilt as it was from the folders once that was previewed, and kept aside', async () => {
    damage(damaged())
    const tasks = home.tasks([read])
    const plan = await tasks.previewRepair()
    expect(plan).toMatchObject({
      more: 0,
      leftOut: [],
      problem: expect.stringMatching(/^tasks\.json:\d+:\d+: /) as string,
    })
    expect(plan.entries).toHaveLength(21)
    expect(home.read('tasks.json')).toBe(damaged())
    const { entries, aside } = await tasks.repair(plan.stamp)
    expect(entries).toBe(21)
    expect(readFileSync(join(home.path, aside), 'utf8')).toBe(damaged())
    expect(home.entries).toEqual((JSON.parse(whole) as { tasks: unknown[] }).tasks)
    expect((await tasks.list(null)).problems).toEqual([])
    expect(await listed(tasks)).toHaveLength(21)
    await tasks.close()
    expect(await listed(home.tasks([read]))).toHaveLength(21)
  })
})

describe('a repair', () => {
  it('is refused when the file changed since its preview, and when it is whole', async () => {
    damage(whole.slice(0, 100))
    const tasks = home.tasks([read])
    const { stamp } = await tasks.previewRepair()
    damage(whole.slice(0, 200))
    await expect(tasks.repair(stamp)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(home.read('tasks.json')).toBe(whole.slice(0, 200))
    damage(whole)
    await expect(tasks.previewRepair()).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(tasks.repair(stamp)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(home.list().filter((name) => name.includes('damaged'))).toEqual([])
  })

  it('takes in what was started meanwhile, and names what it leaves out', async () => {
    damage(whole.slice(0, 100))
    writeFileSync(join(home.path, 'tasks/background/0001_poke/task.json'), '{')
    const tasks = home.tasks([read])
    const { id } = await tasks.start({ operation: 'read', machine, type: 'background', args: {}, intervalMs: 60_000 })
    const plan = await tasks.previewRepair()
    expect(plan.leftOut).toEqual(['0001_poke'])
    await tasks.repair(plan.stamp)
    expect(home.entries.map((entry) => entry.id)).toContain(id)
    expect(home.entries).toHaveLength(21)
  })

  it('gives an entry without a folder back from the damaged text', async () => {
    rmSync(join(home.path, 'tasks/background/0001_poke'), { recursive: true })
    damage(whole.slice(0, -10))
    const tasks = home.tasks([read])
    const plan = await tasks.previewRepair()
    expect(plan.entries[0]).toEqual({ id: '0001_poke', status: 'running', source: 'file' })
    await tasks.repair(plan.stamp)
    expect(home.entries[0]).toMatchObject({ id: '0001_poke', nextRunAt: expect.any(String) as string })
    expect(existsSync(join(home.path, plan.aside))).toBe(true)
  })
})
