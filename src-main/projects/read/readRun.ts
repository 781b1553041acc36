/** The only reader of a run's files, wherever their texts come from. */
import { fileFinding } from '../../formats/finding'
import type { Candidate, Format, Remembered, RunFiles } from '../../formats/format'
import type { ActionRequest } from '../../formats/edit/action'
import type { Listing } from '../../formats/listing'
import type { StateFile } from '../../formats/text/stateFile'
import { readStateFile } from './readStateFile'

export interface RunSource {
  readonly listing: Listing
  readonly remembered: Remembered
  readonly read: (path: string) => StateFile | undefined | Promise<StateFile | undefined>
}

export interface RunLimits {
  readonly namedFiles: number
  /** Characters of all its files together. */
  readonly characters: number
  readonly filesAtOnce: number
}

export const runLimits: RunLimits = { namedFiles: 2_000, characters: 256 * 1024 * 1024, filesAtOnce: 16 }

export interface ReadOptions {
  readonly request?: ActionRequest | undefined
  readonly signal?: AbortSignal
}

export interface ReadRun {
  readonly files: RunFiles
  readonly wanted: ReadonlySet<string>
}

export const runKey = (
  format: Pick<Format, 'name'>,
  { marker, name = marker }: Pick<Candidate, 'marker' | 'name'>,
): string => `${format.name}:${name}`

export const diskSource = (root: string, listing: Listing, remembered: Remembered): RunSource => ({
  listing,
  remembered,
  read: (path) => readStateFile(root, path),
})

export interface RunOnDisk {
  /** Of the project, without symbolic links. */
  readonly root: string
  readonly format: Format
  readonly candidate: Candidate
  readonly listing: Listing
  readonly remembered: Remembered
  readonly read: (path: string) => Promise<StateFile>
}

export async function readFromDisk(run: RunOnDisk, request?: ActionRequest): Promise<RunFiles> {
  const { format, candidate } = run
  const { files } = await readRun(format, candidate, run, runLimits, { request })
  return files
}

export async function readRun(
  format: Pick<Format, 'named'>,
  candidate: Candidate,
  source: RunSource,
  limits: RunLimits,
  { request, signal }: ReadOptions = {},
): Promise<ReadRun> {
  const { listing, remembered } = source
  const reader = new BoundedReader(source, limits, signal)
  await reader.read(candidate.files)
  const own = new Set(candidate.files)
  const more = (format.named?.({ candidate, listing, remembered, files: new Map(reader.files) }, request) ?? []).filter(
    (path) => !own.has(path),
  )
  const taken = more.slice(0, limits.namedFiles)
  await reader.read(taken)
  reader.refuse(more[limits.namedFiles], `${more.length} files that a run names`, `at most ${limits.namedFiles}`)
  return { files: { candidate, listing, remembered, files: reader.files }, wanted: new Set([...own, ...taken]) }
}

class BoundedReader {
  readonly files = new Map<string, StateFile>()
  readonly #source: RunSource
  readonly #limits: RunLimits
  readonly #signal: AbortSignal | undefined
  #characters = 0

  constructor(source: RunSource, limits: RunLimits, signal: AbortSignal | undefined) {
    this.#source = source
    this.#limits = limits
    this.#signal = signal
  }

  async read(paths: readonly string[]): Promise<void> {
    const { listing, read } = this.#source
    const { characters, filesAtOnce } = this.#limits
    const there = [...new Set(paths)].filter((path) => listing.hasFile(path) && !this.files.has(path))
    for (let from = 0; from < there.length; from += filesAtOnce) {
      this.#signal?.throwIfAborted()
      const batch = there.slice(from, from + filesAtOnce)
      if (this.#characters > characters) {
        const megabytes = characters / 1024 / 1024
        for (const path of batch)
          this.refuse(path, 'one file more than the run may have', `${megabytes} MB for a run as a whole`)
        continue
      }
      for (const file of await Promise.all(batch.map(async (path) => read(path)))) {
        if (!file) continue
        this.files.set(file.path, file)
        this.#characters += (file.text?.length ?? 0) + (file.bytes?.length ?? 0)
      }
    }
  }

  refuse(path: string | undefined, found: string, expected: string): void {
    if (path === undefined || this.files.has(path)) return
    const finding = fileFinding(path, 'project/size', 'error', found, expected)
    this.files.set(path, { path, text: null, modifiedAt: null, findings: [finding] })
  }
}
