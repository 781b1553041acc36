/** Runs operations as the engine does: with a task's folder on disk, and the worker for regular expressions. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { AppError } from '@shared/contract/errors'
import type { Frame } from '@shared/contract/frames'
import type { Machine } from '../../src-main/machine/machine'
import { RegexMatcher } from '../../src-main/regex/matcher'
import { writeArtifact } from '../../src-main/tasks/taskFolder'
import { findOperation } from '../../src-main/tasks/operations'
import type { OperationContext, OperationOutcome } from '../../src-main/tasks/operation'
import { readRoms } from './ownRoms'

export interface Bench {
  /** Each run is a task of its own, whose name it says. */
  run(
    operation: string,
    args?: unknown,
    changes?: Partial<OperationContext>,
  ): Promise<OperationOutcome & { task: string }>
  artifact(task: string, path: string): Promise<Buffer>
  /** Of all runs. */
  readonly log: string[]
  readonly moments: Pick<Frame, 'time' | 'segments'>[]
  readonly progress: [done: number, total: number][]
  close(): Promise<void>
}

export async function operationBench(machine: Machine): Promise<Bench> {
  const home = await mkdtemp(join(tmpdir(), 'bridgedeck-operations-'))
  const matcher = new RegexMatcher(resolve('out/main/regexWorker.cjs'), 500)
  const log: string[] = []
  const moments: Bench['moments'] = []
  const progress: Bench['progress'] = []
  const read = (task: string, path: string) => readFile(join(home, task, 'artifacts', path))
  const readArtifact = (task: string, path: string) =>
    read(task, path).catch(() => Promise.reject(new AppError('NOT_FOUND', `${task} has no ${path}.`)))
  let tasks = 0

  return {
    log,
    moments,
    progress,
    artifact: read,
    run: async (operation, args = {}, changes = {}) => {
      const task = `${++tasks}_${operation}`
      const folder = join(home, task)
      const carryOut = findOperation(operation).prepare(args)
      const outcome = await carryOut({
        machine,
        task,
        signal: AbortSignal.timeout(60_000),
        iteration: 1,
        recurring: false,
        subscribe: () => () => undefined,
        artifact: (path, content) => writeArtifact(folder, path, content),
        readArtifact,
        snapshot: () => [],
        standInRom: () => Promise.resolve({ bytes: readRoms().character, file: null, problem: null }),
        record: (moment) => {
          moments.push(moment)
          return Promise.resolve()
        },
        openRecording: () => Promise.resolve(),
        recordFrames: () => Promise.resolve({ frames: 0, durationMs: 0, bytes: 0, lost: 0, added: 0 }),
        log: (line) => void log.push(line),
        progress: (done, total) => void progress.push([done, total]),
        match: (pattern, flags, text) => matcher.match(pattern, flags, text),
        ...changes,
      })
      return { ...outcome, task }
    },
    close: async () => {
      await matcher.close()
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** The machine with some of it otherwise. */
export const altered = (machine: Machine, changes: Partial<Machine>): Machine =>
  new Proxy(machine, {
    get: (target, key) => {
      if (Object.hasOwn(changes, key)) return Reflect.get(changes, key) as unknown
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
