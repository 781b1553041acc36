import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { watch, type FSWatcher } from 'chokidar'
import { z } from 'zod'
import type { NamedAddress } from '@shared/c64/labels/names'
import type { SearchKind } from '@shared/c64/search/searchMemory'
import { AppError, describeFailure, toFailure } from '@shared/contract/errors'
import { MAX_LABEL_FILES, MAX_SOURCES, type LabelFileState, type MachineLabels } from '@shared/contract/labels'
import { SerialQueue } from '@shared/serialQueue'
import { withFileName } from '../files/fileErrors'
import { readBounded } from '../files/readBounded'
import type { RequestInput, RequestName, RequestOutput } from '../rpc/protocol'
import { startWorker, type RunningWorker } from '../rpc/startWorker'
import type { NoteStore } from '../storage/notes'
import { isListing, pathsBeside } from './besideProgram'
import { labelsProtocol, type LabelsChannel } from './messages'
import type { SourceText } from './read/tassCalls'
import { sourceTextOf } from './sourceText'

const MAX_FILE_BYTES = 16 * 1024 * 1024
/** ms; a build writes a file in several steps, so the file must be unchanged for this long. */
const SETTLE_TIME_MS = 100
/** Its calls of macros stand in the sources only. */
const TASS_LISTING = '64tass listing'
const MAX_CALLING_SOURCES = 100
/** ms within which one build writes program and labels. */
const MAX_BUILD_TIME_MS = 10_000

interface LabelsOptions {
  readonly workerPath: string
  readonly notes: NoteStore
  readonly watches: boolean
  readonly onChanged: (labels: MachineLabels) => void
  readonly log: (message: string, error?: unknown) => void
}

interface WrittenFile {
  readonly name: string
  readonly writtenAtMs: number
}

interface OfMachine {
  readonly queue: SerialQueue
  files: ReadonlyMap<string, LabelFileState>
  beside: readonly string[]
  program: WrittenFile | null
  labels: number
  watcher: FSWatcher | undefined
  watched: readonly string[]
  /** By file, ms since 1970. */
  readonly readVersions: Map<string, number | undefined>
  restored: boolean
}

const remembered = z.strictObject({
  files: z
    .array(z.strictObject({ path: z.string().min(1).max(4096), origin: z.enum(['program', 'person']) }))
    .max(MAX_LABEL_FILES),
})

export class Labels {
  readonly #options: LabelsOptions
  readonly #machines = new Map<string, OfMachine>()
  #worker: RunningWorker<LabelsChannel> | undefined
  #closed = false

  constructor(options: LabelsOptions) {
    this.#options = options
  }

  files(machine: string): Promise<MachineLabels> {
    return this.#inOrder(machine, (of) => Promise.resolve(describe(machine, of)))
  }

  /** @throws AppError where the file cannot be read; what was there stays */
  load(machine: string, path: string): Promise<LabelFileState> {
    return this.#inOrder(machine, async (of) => {
      if (!of.files.has(path) && of.files.size >= MAX_LABEL_FILES)
        throw new AppError('INVALID', `A machine takes labels from ${MAX_LABEL_FILES} files at most.`, {
          hint: 'Clear those of other programs first.',
        })
      const file = await this.#read(machine, of, path, 'person')
      await this.#change(machine, of, new Map([...of.files, [path, file]]))
      return file
    })
  }

  clear(machine: string, path: string | null): Promise<MachineLabels> {
    return this.#inOrder(machine, async (of) => {
      if (path !== null && !of.files.has(path))
        throw new AppError('NOT_FOUND', `No labels are loaded from ${basename(path)}.`)
      // A file beside the program would be loaded again when it changes.
      of.beside = path === null ? [] : of.beside.filter((other) => other !== path)
      await this.#change(machine, of, new Map([...of.files].filter(([other]) => path !== null && other !== path)))
      return describe(machine, of)
    })
  }

  programLoaded(machine: string, program: string): Promise<void> {
    return this.#inOrder(machine, async (of) => {
      of.beside = pathsBeside(program)
      of.program = await writtenFile(program)
      const chosen = [...of.files].filter(([, { origin }]) => origin === 'person')
      const files = new Map(chosen)
      for (const path of of.beside) {
        if (files.size >= MAX_LABEL_FILES) break
        const origin = files.has(path) ? 'person' : 'program'
        if (!(await isThere(path))) continue
        const file = await this.#readOrExplain(machine, of, path, origin)
        if (origin === 'person' || !isOfOtherTool(file)) files.set(path, file)
      }
      await this.#change(machine, of, files)
    })
  }

  ask<Name extends Exclude<RequestName<LabelsChannel>, 'read' | 'keep' | 'addCalls'>>(
    name: Name,
    machine: string,
    input: RequestInput<LabelsChannel, Name>,
    signal?: AbortSignal,
  ): Promise<RequestOutput<LabelsChannel, Name>> {
    return this.#inOrder(machine, () => this.#running().call(name, input, signal ? { signal } : {}))
  }

  queryNames(machine: string, query: { kind: SearchKind; query: string }): Promise<readonly NamedAddress[]> {
    return this.ask('queryNames', machine, { machine, ...query })
  }

  addressOf(machine: string, label: string): Promise<number | null> {
    return this.ask('named', machine, { machine, label })
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const { watcher } of this.#machines.values()) await watcher?.close()
    await this.#worker?.end(new AppError('CANCELLED', 'The reader of labels was stopped.'))
  }

  #inOrder<T>(machine: string, task: (of: OfMachine) => Promise<T>): Promise<T> {
    const of = this.#machines.get(machine) ?? {
      queue: new SerialQueue(),
      files: new Map(),
      beside: [],
      program: null,
      labels: 0,
      watcher: undefined,
      watched: [],
      readVersions: new Map(),
      restored: false,
    }
    this.#machines.set(machine, of)
    return of.queue.run(async () => {
      if (!of.restored) {
        of.restored = true
        await this.#restore(machine, of)
      }
      return task(of)
    })
  }

  async #restore(machine: string, of: OfMachine): Promise<void> {
    const note = this.#options.notes.get(noteOf(machine))
    if (note === undefined) return
    const { data } = remembered.safeParse(parseNote(note))
    const files = new Map<string, LabelFileState>()
    for (const { path, origin } of data?.files ?? [])
      files.set(path, await this.#readOrExplain(machine, of, path, origin))
    await this.#change(machine, of, files)
  }

  async #change(machine: string, of: OfMachine, files: ReadonlyMap<string, LabelFileState>): Promise<void> {
    of.files = files
    of.labels = await this.#running().call('keep', { machine, paths: [...files.keys()] })
    const { notes, onChanged } = this.#options
    if (files.size === 0) notes.delete(noteOf(machine))
    else
      notes.set(
        noteOf(machine),
        JSON.stringify({ files: [...files.values()].map(({ path, origin }) => ({ path, origin })) }),
      )
    await this.#watch(machine, of)
    onChanged(describe(machine, of))
  }

  async #watch(machine: string, of: OfMachine): Promise<void> {
    const wanted = [...new Set([...of.files.keys(), ...of.beside])]
    if (of.watcher && isDeepStrictEqual(of.watched, wanted)) return
    await of.watcher?.close()
    of.watcher = undefined
    of.watched = wanted
    if (wanted.length === 0 || this.#closed || !this.#options.watches) return
    const watcher = watch(wanted, {
      ignoreInitial: true,
      awaitWriteFinish: { stabilityThreshold: SETTLE_TIME_MS, pollInterval: 50 },
    })
    of.watcher = watcher
    const reread = (path: string): void => {
      this.#inOrder(machine, () => this.#reread(machine, of, path)).catch((error: unknown) =>
        this.#options.log(`The labels in ${basename(path)} could not be read again`, error),
      )
    }
    // Many assemblers delete the old file and write a new one.
    watcher.on('change', reread).on('add', reread)
    watcher.on('error', (error) => this.#options.log('Files of labels can no longer be watched', error))
    await new Promise<void>((done) => watcher.once('ready', () => done()))
    for (const path of of.files.keys()) if ((await versionOf(path)) !== of.readVersions.get(path)) reread(path)
  }

  async #reread(machine: string, of: OfMachine, path: string): Promise<void> {
    const known = of.files.get(path)
    if (this.#closed || (!known && (!of.beside.includes(path) || of.files.size >= MAX_LABEL_FILES))) return
    const file = await this.#readOrExplain(machine, of, path, known?.origin ?? 'program', known)
    if (!known && isOfOtherTool(file)) return
    await this.#change(machine, of, new Map([...of.files, [path, file]]))
  }

  async #read(machine: string, of: OfMachine, path: string, origin: LabelFileState['origin']): Promise<LabelFileState> {
    const name = basename(path)
    try {
      of.readVersions.set(path, await versionOf(path))
      const bytes = await readBounded(path, MAX_FILE_BYTES)
      let file = await this.#running().call('read', { machine, path, bytes })
      if (file.format === TASS_LISTING) file = { ...file, lines: await this.#addCalls(machine, path) }
      const stale = of.beside.includes(path) ? describeStale(await writtenFile(path), of.program) : null
      const problem = file.problem ?? stale
      return { path, name: name.slice(0, 300), origin, ...file, problem }
    } catch (error) {
      throw withFileName(error, name)
    }
  }

  async #addCalls(machine: string, path: string): Promise<number> {
    const named = await this.#running().call('sources', { machine, limit: MAX_SOURCES })
    const sources: SourceText[] = []
    for (const source of named.filter(({ debugFile }) => debugFile === path).slice(0, MAX_CALLING_SOURCES)) {
      const text = await sourceTextOf(source, []).catch(() => null)
      if (text !== null) sources.push({ file: source.file, text })
    }
    return this.#running().call('addCalls', { machine, path, sources })
  }

  async #readOrExplain(
    machine: string,
    of: OfMachine,
    path: string,
    origin: LabelFileState['origin'],
    before?: LabelFileState,
  ): Promise<LabelFileState> {
    try {
      return await this.#read(machine, of, path, origin)
    } catch (error) {
      const none = { path, name: basename(path).slice(0, 300), origin, format: null, labels: 0, lines: 0 }
      return { ...none, ...before, problem: describeFailure(toFailure(error)).slice(0, 2000) }
    }
  }

  #running(): RunningWorker<LabelsChannel> {
    this.#worker ??= startWorker(labelsProtocol, this.#options.workerPath, {
      notices: {},
      keepsProcessAlive: false,
      onLost: () => {
        this.#worker = undefined
        for (const of of this.#machines.values()) of.restored = false
      },
    })
    return this.#worker
  }
}

const noteOf = (machine: string): string => `labels ${machine}`

function parseNote(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const describe = (machine: string, { labels, files }: OfMachine): MachineLabels => ({
  machine,
  labels,
  files: [...files.values()],
})

const versionOf = async (path: string): Promise<number | undefined> => (await writtenFile(path))?.writtenAtMs

const writtenFile = (path: string): Promise<WrittenFile | null> =>
  stat(path).then(
    ({ mtimeMs }) => ({ name: basename(path), writtenAtMs: mtimeMs }),
    () => null,
  )

function describeStale(labels: WrittenFile | null, program: WrittenFile | null): string | null {
  if (!labels || !program || program.writtenAtMs - labels.writtenAtMs <= MAX_BUILD_TIME_MS) return null
  return `${labels.name} is older than ${program.name}, so labels may be wrong. Write the labels in each build.`
}

/** Other assemblers write listings too: an unknown one beside a program needs no word. */
const isOfOtherTool = ({ path, format }: LabelFileState): boolean => format === null && isListing(path)

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
