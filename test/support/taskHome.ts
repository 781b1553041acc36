/** A state home in a folder of its own, and bridges' tasks in it. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { Payload } from '@shared/contract/contract'
import { AppError } from '@shared/contract/errors'
import type { TaskProblem } from '@shared/contract/tasks'
import { printJson, type JsonObject } from '@shared/json'
import { MachineManager } from '../../src-main/machine/manager'
import { newEntry, taskFileOf, thisProcess, type ProcessIdentity } from '../../src-main/tasks/entry'
import {
  defineOperation,
  type Operation,
  type OperationContext,
  type OperationOutcome,
} from '../../src-main/tasks/operation'
import { printRegistry } from '../../src-main/tasks/registryPrinter'
import { TaskStore } from '../../src-main/tasks/store'
import { Tasks, type TasksOptions } from '../../src-main/tasks/tasks'
import { ScriptedMachine } from './scriptedMachine'

/** A process that has long ended. */
export const deadProcess: ProcessIdentity = { pid: 4_194_303, startedAt: Date.UTC(2025, 9, 27) }

type Run = (context: OperationContext) => Promise<OperationOutcome>

/** An operation that does what a test wants. */
export const scripted = (name: string, run: Run, writes = false): Operation =>
  defineOperation({
    name,
    title: name,
    does: 'What a test wants.',
    needs: [],
    writes,
    arguments: z.looseObject({}),
    run,
  })

export class TaskHome {
  readonly path: string
  readonly machine = new ScriptedMachine()
  readonly logged: string[] = []
  problems: readonly TaskProblem[] = []
  readonly changes: Payload<'tasks.changed'>[] = []
  readonly #closing: { close(): Promise<void> }[] = []

  /** @param path an existing folder; a new one unless told */
  constructor(path = mkdtempSync(join(tmpdir(), 'bridgedeck-tasks-'))) {
    this.path = path
  }

  store(self = thisProcess()): TaskStore {
    const store = new TaskStore({
      home: this.path,
      self,
      log: (message) => this.logged.push(message),
      onChange: () => undefined,
      onProblems: (problems) => (this.problems = problems),
    })
    this.#closing.push(store)
    return store
  }

  tasks(
    operations: readonly Operation[],
    { settings = {}, self }: { settings?: Partial<ReturnType<TasksOptions['settings']>>; self?: ProcessIdentity } = {},
  ): Tasks {
    const machines = new MachineManager({
      create: () => this.machine,
      defaultSampling: () => ({ mode: 'off', rate: 1 }),
      onStates: () => undefined,
      log: () => undefined,
    })
    const find = (name: string) => {
      const found = operations.find((operation) => operation.name === name)
      if (!found) throw new AppError('INVALID', `There is no operation “${name}”.`)
      return found
    }
    const tasks = new Tasks({
      home: this.path,
      operations: { all: operations, find },
      regex: { match: () => Promise.resolve(null) },
      snapshot: () => [],
      standInRom: () => Promise.reject(new Error('No ROM stands in.')),
      machines,
      settings: () => ({ resume: 'ask', sessions: false, ...settings }),
      openRecording: () => Promise.reject(new AppError('UNSUPPORTED', 'Nothing is recorded here.')),
      forgetRecording: () => Promise.resolve(),
      recordedIn: () => Promise.resolve(null),
      onChanged: (changes) => this.changes.push(changes),
      onLog: () => undefined,
      onProblems: (problems) => (this.problems = problems),
      log: (message) => this.logged.push(message),
      ...(self ? { self } : {}),
    })
    this.#closing.push({
      close: async () => {
        await tasks.close()
        await machines.close()
      },
    })
    return tasks
  }

  read(path: string): string {
    return readFileSync(join(this.path, path), 'utf8')
  }

  json(path: string): unknown {
    return JSON.parse(this.read(path))
  }

  /** Entries of tasks.json. */
  get entries(): Record<string, unknown>[] {
    return (this.json('tasks.json') as { tasks: Record<string, unknown>[] }).tasks
  }

  list(path = ''): string[] {
    return readdirSync(join(this.path, path)).sort()
  }

  async close(isRemoved = true): Promise<void> {
    await Promise.all(this.#closing.map((part) => part.close()))
    if (isRemoved) rmSync(this.path, { recursive: true, force: true })
  }
}

/** A home with so many finished tasks, as it is after a long time. */
export function fillHome(home: string, tasks: number): void {
  const entries: JsonObject[] = []
  for (let counter = 1; counter <= tasks; counter++) {
    const id = `${String(counter).padStart(4, '0')}_read`
    const task = {
      name: 'read',
      type: 'background',
      operation: 'read',
      args: { address: '$0400', length: 256 },
      intervalMs: 1000,
      maxIterations: 60,
      startedAt: counter * 60_000,
    } as const
    const entry: JsonObject = {
      ...newEntry(id, task),
      iterations: 60,
      status: 'completed',
      stoppedAt: '2025-10-27T11-46-00Z',
    }
    const folder = join(home, 'tasks/background', id)
    mkdirSync(folder, { recursive: true })
    writeFileSync(
      join(folder, 'task.json'),
      printJson(taskFileOf(entry, `tasks/background/${id}`, { machine: 'builtin', owner: thisProcess(), revision: 3 })),
    )
    entries.push(entry)
  }
  writeFileSync(join(home, 'tasks.json'), printRegistry({ rest: {}, entries, others: [] }))
}
