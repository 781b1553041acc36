import { basename } from 'node:path'
import { watch, type FSWatcher } from 'chokidar'
import { AppError, toFailure } from '@shared/contract/errors'
import { hasListedPrograms, imagePrograms, type ImageProgram } from '@shared/c64/programImage'
import type { ImageContents, MachineState } from '@shared/contract/machine'
import { SerialQueue } from '@shared/serialQueue'
import { isAgentsPath } from '../files/agentFolders'
import { withFileName } from '../files/fileErrors'
import { readBounded } from '../files/readBounded'
import type { ProgramControl } from './facets'
import { runProgram } from './loadedPrograms'
import { requireFacet } from './machine'
import { ProgramCopies } from './programCopies'
import type { MachineManager } from './manager'

/** Larger than any file that a C64 loads: an EasyFlash image (CRT) holds 1 MiB, others up to 2 MiB, and their headers. */
const MAX_PROGRAM_BYTES = 0x28_0000

/** A build writes a file in several steps; it runs once unchanged for this long. */
const SETTLE_TIME_MS = 150
const RERUN_DEADLINE_MS = 20_000

export interface FileToRun {
  readonly path: string
  readonly title?: string | undefined
  /** Of a SID file, from 1. */
  readonly song?: number | undefined
  /** One program of a disk or tape image, from 0 in the order of its directory. */
  readonly entry?: number | undefined
}

export interface StartedProgram {
  readonly name: string
  readonly started: boolean | null
}

/** Called before each run of a file, also again, so that its labels are known when its first instruction runs. */
type BeforeRun = (machine: string, path: string) => Promise<void>

export class Programs {
  readonly #machines: MachineManager
  readonly #beforeRun: BeforeRun
  readonly #watchers = new Map<string, FSWatcher>()
  readonly #queues = new Map<string, SerialQueue>()
  readonly #copies = new ProgramCopies()

  constructor(machines: MachineManager, beforeRun: BeforeRun = () => Promise.resolve()) {
    this.#machines = machines
    this.#beforeRun = beforeRun
  }

  run(machine: string, file: FileToRun, watched: boolean, signal: AbortSignal): Promise<StartedProgram> {
    return this.#inOrder(machine, async () => {
      // Watched before it is read, so that no rebuild falls between the two.
      const watcher = watched ? await this.#watch(machine, file) : undefined
      const started = await this.#runOnce(machine, file, signal).catch(async (error: unknown) => {
        await watcher?.close()
        throw error
      })
      await this.#closeWatcher(machine)
      if (watcher) this.#watchers.set(machine, watcher)
      const { name } = started
      this.#machines.managed(machine).program = { name, watched, startedAt: Date.now(), reruns: 0, problem: null }
      return started
    })
  }

  stopWatching(machine: string): Promise<void> {
    return this.#inOrder(machine, async () => {
      if (!this.#watchers.has(machine)) return
      await this.#closeWatcher(machine)
      this.#note(machine, { watched: false, problem: null })
    })
  }

  async close(): Promise<void> {
    await Promise.all([...this.#watchers.values()].map((watcher) => watcher.close()))
    await this.#copies.close()
  }

  #inOrder<T>(machine: string, task: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(machine) ?? new SerialQueue()
    this.#queues.set(machine, queue)
    return queue.run(task)
  }

  async #runOnce(
    machine: string,
    { path, song, entry, ...given }: FileToRun,
    signal: AbortSignal,
  ): Promise<StartedProgram> {
    const programs = requireFacet(this.#machines.live(machine), 'runProgram')
    const found = entry === undefined ? null : await readImageProgram(path, entry)
    const name = found === null ? basename(path) : `program-${entry}.prg`
    const title = given.title ?? (found === null ? undefined : `${found.name} (${basename(path)})`)
    const shown = title ?? name
    checkSong(song, shown, programs)
    const bytes = found?.bytes ?? (await readProgram(path))
    await this.#beforeRun(machine, path)
    try {
      const safe = isAgentsPath(path) || found !== null ? await this.#copies.keep(machine, name, bytes) : path
      const file = { name, title, path: safe, bytes, song }
      return { name: shown, started: await runProgram(this.#machines.live(machine), file, signal) }
    } catch (error) {
      throw withFileName(error, shown)
    }
  }

  /** No caller waits for it, so an error goes into the machine's state. */
  async #rerun(machine: string, file: FileToRun): Promise<void> {
    try {
      await this.#runOnce(machine, file, AbortSignal.timeout(RERUN_DEADLINE_MS))
      const { reruns = 0 } = this.#machines.managed(machine).program ?? {}
      this.#note(machine, { startedAt: Date.now(), reruns: reruns + 1, problem: null })
    } catch (error) {
      const { message, hint } = toFailure(error)
      this.#note(machine, {
        problem: ['The rebuilt program could not be started.', message, hint].filter(Boolean).join(' '),
      })
    }
  }

  #note(machine: string, changes: Partial<NonNullable<MachineState['program']>>): void {
    const managed = this.#machines.managed(machine)
    if (managed.program) managed.program = { ...managed.program, ...changes }
  }

  #watch(machine: string, file: FileToRun): Promise<FSWatcher> {
    const { path } = file
    const watcher = watch(path, {
      ignoreInitial: true,
      awaitWriteFinish: { stabilityThreshold: SETTLE_TIME_MS, pollInterval: 50 },
    })
    const rerun = () => void this.#inOrder(machine, () => this.#rerun(machine, file))
    watcher.on('change', rerun)
    // Many assemblers delete the old file and write a new one.
    watcher.on('add', rerun)
    watcher.on('error', (error) => {
      const details = error instanceof Error ? error.message : String(error)
      this.#note(machine, { problem: `${basename(path)} can no longer be watched (${details}). Load it again.` })
    })
    return new Promise((done) => watcher.once('ready', () => done(watcher)))
  }

  async #closeWatcher(machine: string): Promise<void> {
    const watcher = this.#watchers.get(machine)
    this.#watchers.delete(machine)
    await watcher?.close()
  }
}

async function readImageProgram(path: string, entry: number): Promise<ImageProgram> {
  const program = await programsIn(path).then((programs) => programs[entry])
  if (program) return program
  throw new AppError('NOT_FOUND', `${basename(path)} has no program ${entry + 1} any more.`, {
    hint: 'Open the image again.',
  })
}

async function programsIn(path: string): Promise<ImageProgram[]> {
  const name = basename(path)
  if (!hasListedPrograms(name)) return []
  const bytes = await readProgram(path)
  try {
    return imagePrograms(name, bytes)
  } catch (error) {
    throw withFileName(error, name)
  }
}

/**
 * Empty for any other file.
 * @throws AppError INVALID for a damaged image
 */
export async function listPrograms(path: string): Promise<ImageContents['programs']> {
  return (await programsIn(path)).map(({ name, bytes: [low = 0, high = 0, ...rest] }) => ({
    name,
    start: low | (high << 8),
    length: rest.length,
  }))
}

/** @throws AppError INVALID where the file has no songs, UNSUPPORTED where the machine does not choose among them */
export function checkSong(song: number | undefined, name: string, programs: ProgramControl): void {
  if (song === undefined) return
  if (!/\.sid$/i.test(name)) throw new AppError('INVALID', `${name} has no songs to choose from: it is no SID file.`)
  if (programs.choosesSongs !== true)
    throw new AppError('UNSUPPORTED', 'This machine cannot choose a song of a SID file.', {
      hint: 'An Ultimate can.',
    })
}

/** @throws AppError NOT_FOUND, FORBIDDEN or INVALID with the file's name */
export async function readProgram(path: string): Promise<Uint8Array> {
  const bytes = await readBounded(path, MAX_PROGRAM_BYTES)
  if (bytes.length === 0) throw new AppError('INVALID', `${basename(path)} is empty.`)
  return bytes
}
