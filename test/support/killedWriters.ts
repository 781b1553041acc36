/** Processes that write tasks and are killed at any moment, and what must be true of their state home afterwards. */
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { thisProcess } from '../../src-main/tasks/entry'
import { TaskStore } from '../../src-main/tasks/store'
import { runTypescript } from './runTypescript'

export const writerProgram = resolve('test/peers/taskWriter.ts')

/** What a process said is kept: iterations by id. */
export type Acknowledged = Map<string, number>

/** Starts a writer, kills it some time after its first word, and notes what it had acknowledged. */
export async function killOneWriter(home: string, acknowledged: Acknowledged, random: () => number): Promise<void> {
  const child = runTypescript(writerProgram, [home, '3', '1000000'])
  let said = ''
  child.stdout.on('data', (text: string) => (said += text))
  await once(child.stdout, 'data')
  await wait(random() * 60)
  child.kill('SIGKILL')
  await once(child, 'close')
  // The last line may be half a one: it was not acknowledged.
  for (const line of said.slice(0, said.lastIndexOf('\n') + 1).split('\n')) {
    const [what, id, iterations] = line.split(' ')
    if (id !== undefined && (what === 'made' || what === 'changed')) acknowledged.set(id, Number(iterations ?? 0))
  }
}

/** Everything that is wrong with the home, in a sentence each. */
export async function damageOf(home: string, acknowledged: Acknowledged): Promise<string[]> {
  const damage: string[] = []
  const registry = JSON.parse(readFileSync(join(home, 'tasks.json'), 'utf8')) as { tasks: { id: string }[] }
  const store = new TaskStore({
    home,
    self: thisProcess(),
    log: () => undefined,
    onChange: () => undefined,
    onProblems: (problems) => damage.push(...problems.map(({ message }) => message)),
  })
  await store.readDetails()
  await store.close()
  for (const [id, iterations] of acknowledged) {
    const found = store.get(id)?.entry.iterations
    if (typeof found !== 'number' || found < iterations)
      damage.push(
        `${id}: ${iterations} iterations were acknowledged, and there are ${typeof found === 'number' ? found : 'none'}.`,
      )
  }
  for (const name of readdirSync(join(home, 'tasks/background')).filter((name) => !name.startsWith('.'))) {
    const parts = readdirSync(join(home, 'tasks/background', name)).filter((part) => !part.startsWith('.'))
    if (!parts.includes('task.json') || !parts.includes('log.txt'))
      damage.push(`${name} is half a task: ${parts.join(', ')}.`)
    JSON.parse(readFileSync(join(home, 'tasks/background', name, 'task.json'), 'utf8'))
  }
  const listed = new Set(
    (JSON.parse(readFileSync(join(home, 'tasks.json'), 'utf8')) as { tasks: { id: string }[] }).tasks.map(
      ({ id }) => id,
    ),
  )
  for (const id of acknowledged.keys()) if (!listed.has(id)) damage.push(`${id} is not in tasks.json.`)
  for (const { id } of registry.tasks) if (!listed.has(id)) damage.push(`${id} was in tasks.json and is gone.`)
  return damage
}
