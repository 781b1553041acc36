/**
 * Tasks as the c64bridge MCP server keeps them (its background.ts, version 0.7.3 and the later ones): it reads tasks.json once and holds
 * its own view, by name and as if all of it were background tasks. With each change it writes that view whole, in place and
 * without a lock, and then a task.json, a result.json and a log.txt below tasks/background for every task that it knows.
 * Written after what it does, not from its source.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Entry {
  id: string
  name: string
  type: 'background'
  operation: string
  args: object
  intervalMs: number | undefined
  maxIterations: number | undefined
  iterations: number | undefined
  status: string
  startedAt: string
  updatedAt: string
  stoppedAt: string | null
  lastError: string | null
  nextRunAt: string | null
  folder: string
}

/** It knows no dashes between hours, minutes and seconds. */
const readTime = (written: string | null | undefined): string | null => {
  const time = written === null || written === undefined ? NaN : new Date(written).getTime()
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}

const now = (): string => new Date().toISOString()

/** What it does not know is gone; what it does not understand becomes now. */
const adopt = (entry: Entry): Entry => ({
  id: entry.id,
  name: entry.name,
  type: 'background',
  operation: entry.operation,
  args: entry.args,
  intervalMs: entry.intervalMs,
  maxIterations: entry.maxIterations,
  iterations: entry.iterations,
  status: entry.status,
  startedAt: readTime(entry.startedAt) ?? now(),
  updatedAt: readTime(entry.updatedAt) ?? now(),
  stoppedAt: readTime(entry.stoppedAt),
  lastError: entry.lastError ?? null,
  nextRunAt: readTime(entry.nextRunAt),
  folder: entry.folder,
})

export class C64bridge {
  readonly #home: string
  readonly #tasks = new Map<string, Entry>()

  constructor(home: string) {
    this.#home = home
    const path = join(home, 'tasks.json')
    if (!existsSync(path)) {
      mkdirSync(home, { recursive: true })
      writeFileSync(path, JSON.stringify({ tasks: [] }, null, 2))
      return
    }
    const { tasks } = JSON.parse(readFileSync(path, 'utf8')) as { tasks: Entry[] }
    // By name: of two of one name the last one stays.
    for (const task of tasks) this.#tasks.set(task.name, adopt(task))
  }

  /** Its ids go by those that it knows; one that ended is started again under the same id. */
  start(name: string, operation: string, args: object, intervalMs = 1000): string {
    const known = this.#tasks.get(name)
    if (known?.status === 'running') throw new Error('Task with this name is already running')
    const counters = [...this.#tasks.values()].map(({ id }) => Number(/^(\d{4})_/.exec(id)?.[1] ?? 0))
    const id = known?.id ?? `${String(Math.max(0, ...counters) + 1).padStart(4, '0')}_${name}`
    const startedAt = now()
    const task: Entry = {
      id,
      name,
      type: 'background',
      operation,
      args,
      intervalMs,
      maxIterations: undefined,
      iterations: 0,
      status: 'running',
      startedAt,
      updatedAt: startedAt,
      stoppedAt: null,
      lastError: null,
      nextRunAt: new Date(Date.now() + intervalMs).toISOString(),
      folder: `tasks/background/${id}`,
    }
    this.#tasks.set(name, task)
    this.#writeTask(task)
    this.#log(task, 'started')
    this.#persist()
    return id
  }

  iterate(name: string): void {
    const task = this.#require(name)
    task.iterations = (task.iterations ?? 0) + 1
    task.updatedAt = now()
    this.#log(task, `iteration=${task.iterations}`)
    this.#persist()
    task.nextRunAt = new Date(Date.now() + (task.intervalMs ?? 0)).toISOString()
  }

  stop(name: string): void {
    this.#end(this.#require(name))
    this.#persist()
  }

  /** Also those that ended long ago, and those that it never ran. */
  stopAll(): void {
    for (const task of this.#tasks.values()) this.#end(task)
    this.#persist()
  }

  /** What newer versions do when they start: whatever runs, they say, was theirs. It is on disk with their first change. */
  restart(): void {
    for (const task of this.#tasks.values()) {
      if (task.status !== 'running') continue
      task.status = 'stopped'
      task.stoppedAt = task.updatedAt = now()
      task.lastError = 'Interrupted by MCP server restart; start the task again to resume monitoring.'
      task.nextRunAt = null
    }
    this.#persist()
  }

  #end(task: Entry): void {
    if (task.status !== 'completed') task.status = 'stopped'
    task.stoppedAt = now()
    this.#log(task, 'stopped')
  }

  #require(name: string): Entry {
    const task = this.#tasks.get(name)
    if (!task) throw new Error(`There is no task ${name}.`)
    return task
  }

  #persist(): void {
    const tasks = [...this.#tasks.values()]
    writeFileSync(join(this.#home, 'tasks.json'), JSON.stringify({ tasks }, null, 2))
    for (const task of tasks) this.#writeTask(task)
  }

  #writeTask(task: Entry): void {
    const { id, operation, startedAt, status, iterations, folder } = task
    const path = this.#folder(task)
    mkdirSync(path, { recursive: true })
    writeFileSync(join(path, 'task.json'), JSON.stringify({ ...task, resultPath: `${folder}/result.json` }, null, 2))
    const result = { id, type: 'task', name: operation, created: startedAt, status, iterations }
    if (!existsSync(join(path, 'result.json')))
      writeFileSync(join(path, 'result.json'), JSON.stringify(result, null, 2))
    if (!existsSync(join(path, 'log.txt'))) writeFileSync(join(path, 'log.txt'), '')
  }

  /** A folder that is not there fails it. */
  #log(task: Entry, line: string): void {
    appendFileSync(join(this.#folder(task), 'log.txt'), `[${task.updatedAt}] ${line}\n`)
  }

  #folder({ id }: Entry): string {
    return join(this.#home, 'tasks/background', id)
  }
}
