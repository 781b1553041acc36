/**
 * Tasks as the c64bridge MCP server keeps them (its background.ts, version 0.7.3): it reads tasks.json once, holds its own
 * view, and writes that view whole, in place and without a lock. Written after what it does, not from its source.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Entry {
  id: string
  name: string
  operation: string
  status: string
  folder: string
  iterations: number
  updatedAt: string
  [key: string]: unknown
}

export class C64bridge {
  readonly #home: string
  readonly #tasks = new Map<string, Entry>()

  constructor(home: string) {
    this.#home = home
    const path = join(home, 'tasks.json')
    if (!existsSync(path)) return
    const { tasks } = JSON.parse(readFileSync(path, 'utf8')) as { tasks: Entry[] }
    // By name: of two of one name the last one stays.
    for (const task of tasks) this.#tasks.set(task.name, task)
  }

  /** Its ids go by those that it knows; one that ended is started again under the same id. */
  start(name: string, operation: string, args: object, intervalMs = 1000): string {
    const counters = [...this.#tasks.values()].map(({ id }) => Number(/^(\d{4})_/.exec(id)?.[1] ?? 0))
    const id = this.#tasks.get(name)?.id ?? `${String(Math.max(0, ...counters) + 1).padStart(4, '0')}_${name}`
    const now = new Date().toISOString()
    const nextRunAt = new Date(Date.now() + intervalMs).toISOString()
    const folder = `tasks/background/${id}`
    const task = {
      id,
      name,
      type: 'background',
      operation,
      args,
      intervalMs,
      iterations: 0,
      status: 'running',
      startedAt: now,
      updatedAt: now,
      stoppedAt: null,
      lastError: null,
      nextRunAt,
      folder,
    }
    this.#tasks.set(name, task)
    mkdirSync(join(this.#home, folder), { recursive: true })
    writeFileSync(
      join(this.#home, folder, 'result.json'),
      JSON.stringify({ id, type: 'task', name: operation, created: now, status: 'running', iterations: 0 }, null, 2),
    )
    this.#persist(task)
    return id
  }

  iterate(name: string): void {
    this.#change(name, (task) => ({
      iterations: task.iterations + 1,
      nextRunAt: new Date(Date.now() + 1000).toISOString(),
    }))
  }

  stop(name: string): void {
    this.#change(name, () => ({ status: 'stopped', stoppedAt: new Date().toISOString() }))
  }

  /** What newer versions do when they start: whatever runs, they say, was theirs. */
  restart(): void {
    for (const task of this.#tasks.values()) {
      if (task.status !== 'running') continue
      task.status = 'stopped'
      task.lastError = 'Interrupted by MCP server restart; start the task again to resume monitoring.'
    }
    this.#persist()
  }

  #change(name: string, changes: (task: Entry) => Partial<Entry>): void {
    const task = this.#tasks.get(name)
    if (!task) throw new Error(`There is no task ${name}.`)
    Object.assign(task, changes(task), { updatedAt: new Date().toISOString() })
    this.#persist(task)
  }

  #persist(task?: Entry): void {
    writeFileSync(join(this.#home, 'tasks.json'), JSON.stringify({ tasks: [...this.#tasks.values()] }, null, 2))
    if (task)
      writeFileSync(
        join(this.#home, task.folder, 'task.json'),
        JSON.stringify({ ...task, resultPath: `${task.folder}/result.json` }, null, 2),
      )
  }
}
