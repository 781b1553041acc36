import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { watch, type FSWatcher } from 'chokidar'
import { AppError, toFailure } from '@shared/contract/errors'
import { facet } from './machine'
import type { MachineManager } from './manager'

/** Larger than any program or disk image that a C64 loads (a D81 is 819,200 bytes). */
const MAX_PROGRAM = 1_000_000

/** A build writes a file in several steps; it is run when it stood still for this long, ms. */
const SETTLED = 150

/** Runs program files on machines, and again each time a watched one is rebuilt. */
export class Programs {
  readonly #manager: MachineManager
  readonly #log: (message: string) => void
  readonly #watchers = new Map<string, FSWatcher>()

  constructor(manager: MachineManager, log: (message: string) => void) {
    this.#manager = manager
    this.#log = log
  }

  async run(machine: string, path: string, watched: boolean, signal: AbortSignal): Promise<string> {
    const name = await this.#runOnce(machine, path, signal)
    await this.stopWatching(machine)
    if (watched) this.#watch(machine, path)
    this.#manager.open(machine).program = { name, watched }
    return name
  }

  async stopWatching(machine: string): Promise<void> {
    const managed = this.#manager.open(machine)
    if (managed.program) managed.program = { ...managed.program, watched: false }
    const watcher = this.#watchers.get(machine)
    this.#watchers.delete(machine)
    await watcher?.close()
  }

  async close(): Promise<void> {
    await Promise.all([...this.#watchers.values()].map((watcher) => watcher.close()))
  }

  async #runOnce(machine: string, path: string, signal: AbortSignal): Promise<string> {
    const programs = facet(this.#manager.live(machine), 'programs', 'runProgram')
    const name = basename(path)
    await programs.run({ name, path, bytes: await readProgram(path) }, signal)
    return name
  }

  #watch(machine: string, path: string): void {
    const watcher = watch(path, { ignoreInitial: true, awaitWriteFinish: { stabilityThreshold: SETTLED, pollInterval: 50 } })
    const rerun = () => {
      this.#runOnce(machine, path, AbortSignal.timeout(20_000)).catch((error: unknown) => {
        this.#log(`${basename(path)} was rebuilt but could not be run again: ${toFailure(error).message}`)
      })
    }
    watcher.on('change', rerun)
    // Many assemblers delete the old file and write a new one.
    watcher.on('add', rerun)
    watcher.on('error', (error) => this.#log(`${basename(path)} can no longer be watched: ${String(error)}`))
    this.#watchers.set(machine, watcher)
  }
}

/** @throws AppError NOT_FOUND, FORBIDDEN or INVALID in one sentence with the file's name. */
export async function readProgram(path: string): Promise<Uint8Array> {
  const name = basename(path)
  try {
    const { size } = await stat(path)
    if (size === 0) throw new AppError('INVALID', `${name} is empty.`)
    if (size > MAX_PROGRAM) throw new AppError('INVALID', `${name} is too large for a C64 program (${size} bytes).`)
    return new Uint8Array(await readFile(path))
  } catch (error) {
    throw describeFileError(error, name)
  }
}

function describeFileError(error: unknown, name: string): unknown {
  if (!(error instanceof Error) || !('code' in error) || error instanceof AppError) return error
  switch (error.code) {
    case 'ENOENT':
      return new AppError('NOT_FOUND', `There is no file ${name}.`, { hint: 'Check the path; relative paths start at your working folder.' })
    case 'EACCES':
    case 'EPERM':
      return new AppError('FORBIDDEN', `${name} may not be read.`, { hint: 'Check the file’s permissions.' })
    case 'EISDIR':
      return new AppError('INVALID', `${name} is a folder, not a program.`)
    default:
      return new AppError('INVALID', `${name} could not be read (${String(error.code)}).`)
  }
}
