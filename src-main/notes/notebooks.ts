import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { watch, type FSWatcher } from 'chokidar'
import { AppError, toFailure } from '@shared/contract/errors'
import { MAX_NOTEBOOKS, NOTES_FILE, type Note, type Notebook, type NoteChange } from '@shared/contract/notes'
import { SerialQueue } from '@shared/serialQueue'
import { compareAndSwap, mergeAndSwap, SwapConflict, type Swapped } from '../files/compareAndSwap'
import { containedPath } from '../files/containedPath'
import { describeFileError } from '../files/fileErrors'
import { readBounded } from '../files/readBounded'
import { printFinding, type Finding } from '../formats/finding'
import { decodeStateFile, StateText } from '../formats/text/stateFile'
import { mergeTexts } from '../projects/lineDiff'
import { addMissing, addNote, readNotes, removeNote, replaceNote, requireNote, requirePlace } from './notesText'

const MAX_FILE_BYTES = 1024 * 1024
const MAX_PROBLEMS = 20
const MAX_PROBLEM_LENGTH = 500
/** An editor writes a file in several steps; it is read once unchanged for this long. */
const SETTLE_TIME_MS = 100
/** A program that writes so soon after a change had read the file before it. */
const UNSEEN_MS = 2_000
const WRITE_TRIES = 50
const RETRY_MS = 10

export interface Author {
  readonly name: string
  readonly lastCall: string | null
}

interface NotebooksOptions {
  readonly watches: boolean
  readonly onChanged: () => void
  readonly log: (message: string, error?: unknown) => void
}

interface OfFolder {
  readonly notebook: number
  readonly folder: string
  readonly root: string
  readonly queue: SerialQueue
  readonly unsettled: Set<Unsettled>
  notes: readonly Note[]
  problems: readonly string[]
}

interface ChangedNote {
  readonly now: Note | null
  readonly before: Note | null
}

interface Unsettled extends ChangedNote {
  readonly apply: (text: string) => string
}

interface Written extends Swapped {
  readonly before: string
  readonly after: string
}

export class Notebooks {
  readonly #options: NotebooksOptions
  readonly #folders = new Map<string, OfFolder>()
  readonly #closing = new AbortController()
  readonly #settling = new Set<Promise<void>>()
  #watcher: FSWatcher | undefined
  #last = 0

  constructor(options: NotebooksOptions) {
    this.#options = options
  }

  /** @throws AppError NOT_FOUND for a missing folder, FORBIDDEN for a file that a link takes out of it */
  async read(folder: string): Promise<Notebook> {
    const of = await this.#open(folder)
    await this.#read(of)
    return described(of)
  }

  async list(folders: readonly string[]): Promise<Notebook[]> {
    for (const folder of folders) await this.#open(folder).catch(() => undefined)
    const all = [...this.#folders.values()]
    for (const of of all)
      await this.#read(of).catch((error: unknown) => {
        of.problems = [toFailure(error).message.slice(0, MAX_PROBLEM_LENGTH)]
      })
    return all.map(described)
  }

  /** @throws AppError CONFLICT for a note that has changed, INVALID, BUSY, and as {@link read} does */
  async write(folder: string, change: NoteChange, author: Author): Promise<ChangedNote> {
    return this.#write(await this.#open(folder), change, author)
  }

  edit(notebook: number, change: NoteChange, author: Author): Promise<ChangedNote> {
    const of = [...this.#folders.values()].find((each) => each.notebook === notebook)
    if (!of) throw new AppError('NOT_FOUND', 'These notes are not on the list any more.', { hint: 'List them again.' })
    return this.#write(of, change, author)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#watcher?.close()
    await Promise.all(this.#settling)
  }

  async #open(folder: string): Promise<OfFolder> {
    const root = await realpath(folder).catch((error: unknown) => {
      throw describeFileError(error, folder, 'read')
    })
    const known = this.#folders.get(root)
    if (known) return known
    const [oldest] = this.#folders.keys()
    if (this.#folders.size >= MAX_NOTEBOOKS && oldest !== undefined) this.#folders.delete(oldest)
    const of = {
      notebook: ++this.#last,
      folder,
      root,
      queue: new SerialQueue(),
      unsettled: new Set<Unsettled>(),
      notes: [],
      problems: [],
    }
    this.#folders.set(root, of)
    this.#watch(root)
    return of
  }

  #watch(root: string): void {
    if (!this.#options.watches || this.#closing.signal.aborted) return
    this.#watcher ??= watch([], {
      ignoreInitial: true,
      awaitWriteFinish: { stabilityThreshold: SETTLE_TIME_MS, pollInterval: 50 },
    })
      .on('all', () => this.#options.onChanged())
      .on('error', (error) => this.#options.log('Notes can no longer be watched', error))
    this.#watcher.add(join(root, NOTES_FILE))
    this.#options.onChanged()
  }

  #read(of: OfFolder): Promise<void> {
    return of.queue.run(async () => {
      const { text, findings } = await readText(of.root)
      const read = findings.length > 0 ? undefined : readNotes(new StateText(NOTES_FILE, text ?? ''))
      if (read) of.notes = read.items.map(({ note }) => note)
      of.problems = [...findings, ...(read?.findings ?? [])]
        .slice(0, MAX_PROBLEMS)
        .map((finding) => printFinding(finding).slice(0, MAX_PROBLEM_LENGTH))
    })
  }

  #write(of: OfFolder, change: NoteChange, author: Author): Promise<ChangedNote> {
    if (change.kind !== 'remove' && change.place !== null) requirePlace(change.place)
    const date = localDate(new Date())
    const apply = (text: string | null): string => changedText(text, change, author, date)
    return of.queue.run(async () => {
      const written = await this.#swap(of.root, apply)
      const changed = whatChanged(written, change)
      if (written.before !== written.after) {
        this.#settle(of, written, withEarlier(of.unsettled, { ...changed, apply }))
        this.#options.onChanged()
      }
      return changed
    })
  }

  /** Merges into the file as it is, and again where somebody else wrote it in the same moment. */
  async #swap(root: string, apply: (text: string | null) => string): Promise<Written> {
    const options = { root, signal: this.#closing.signal }
    for (let tries = 0; tries < WRITE_TRIES; tries++) {
      try {
        const { text, findings } = await readText(root)
        const [finding] = findings
        if (finding)
          throw new AppError('INVALID', `Nothing was written: ${printFinding(finding)}.`, {
            hint: 'Mend the file with an editor first.',
          })
        if (text === null) {
          const after = apply(null)
          return { ...(await compareAndSwap({ file: NOTES_FILE, before: null, after }, options)), before: '', after }
        }
        const written = await mergeAndSwap(NOTES_FILE, (now) => requireShort(apply(now)), options)
        if (written) return written
      } catch (error) {
        if (!(error instanceof SwapConflict)) throw error
      }
      await wait(Math.random() * RETRY_MS)
    }
    throw new AppError('BUSY', `Nothing was written: others keep changing ${NOTES_FILE}.`, { hint: 'Try again.' })
  }

  /** Makes the change again where a program that had read or opened the file before it wrote it back without it. */
  #settle({ root, unsettled }: OfFolder, written: Written, change: Unsettled): void {
    unsettled.add(change)
    const isWanted = () => unsettled.has(change)
    const settling = this.#untilSettled(root, written, change, isWanted)
      .catch((error: unknown) => this.#options.log(`Two programs wrote ${NOTES_FILE} at once: check it`, error))
      .finally(() => {
        unsettled.delete(change)
        this.#settling.delete(settling)
      })
    this.#settling.add(settling)
  }

  async #untilSettled(
    root: string,
    { before, after, aftermath }: Written,
    change: Unsettled,
    isWanted: () => boolean,
  ): Promise<void> {
    const [found] = await Promise.all([
      aftermath,
      wait(UNSEEN_MS, undefined, { signal: this.#closing.signal }).catch(() => undefined),
    ])
    if (found?.kind === 'replaced') this.#options.log(`Two programs wrote ${NOTES_FILE} at once: check it`)
    const theirs = found?.kind === 'written' ? found.theirs : null
    const merge = (now: string): string => {
      const both =
        theirs === null
          ? now
          : now === after
            ? theirs
            : (mergeTexts(before, theirs, now) ?? addMissing(now, before, theirs))
      return isWanted() && isDropped(both, change) ? change.apply(both) : both
    }
    for (let tries = 0; tries < WRITE_TRIES; tries++) {
      try {
        const merged = await mergeAndSwap(NOTES_FILE, merge, { root })
        if (merged && merged.before !== merged.after) this.#options.onChanged()
        return
      } catch (error) {
        if (!(error instanceof SwapConflict)) throw error
      }
      await wait(Math.random() * RETRY_MS)
    }
  }
}

const described = ({ notebook, folder, notes, problems }: OfFolder): Notebook => ({
  notebook,
  folder,
  notes: [...notes],
  problems: [...problems],
})

function changedText(text: string | null, change: NoteChange, { name, lastCall }: Author, date: string): string {
  if (change.kind === 'remove') return removeNote(text ?? '', change.note, NOTES_FILE)
  const { place, text: words, evidence } = change
  const note = { place, text: words, evidence, by: name, date, lastCall }
  return change.kind === 'add'
    ? addNote(text, note, NOTES_FILE)
    : replaceNote(text ?? '', change.note, note, NOTES_FILE)
}

function whatChanged({ before, after }: Written, change: NoteChange): ChangedNote {
  const old = change.kind === 'add' ? null : requireNote(before, change.note, NOTES_FILE).note
  if (change.kind === 'remove') return { now: null, before: old }
  if (before === after) return { now: old, before: old }
  const known = new Set(notesOf(before).map(({ id }) => id))
  const notes = notesOf(after)
  const now = notes.find(({ id }) => !known.has(id)) ?? notes.at(-1)
  return { now: now ?? null, before: old }
}

function withEarlier(unsettled: Set<Unsettled>, change: Unsettled): Unsettled {
  const { now, before } = change
  const earlier = [...unsettled].find((each) => each.now !== null && each.now.id === before?.id)
  if (!earlier) return change
  unsettled.delete(earlier)
  if (now === null) return change
  const isThere = (text: string) => notesOf(text).some(({ id }) => id === before?.id)
  return { now, before: earlier.before, apply: (text) => change.apply(isThere(text) ? text : earlier.apply(text)) }
}

function isDropped(text: string, { now, before }: ChangedNote): boolean {
  const ids = new Set(notesOf(text).map(({ id }) => id))
  return (now === null || !ids.has(now.id)) && (before === null || ids.has(before.id))
}

const localDate = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-')

const notesOf = (text: string): Note[] => readNotes(new StateText(NOTES_FILE, text)).items.map(({ note }) => note)

/** @returns null for a missing file, with the reason for an unreadable one */
async function readText(root: string): Promise<{ text: string | null; findings: readonly Finding[] }> {
  const path = await containedPath(NOTES_FILE, { root })
  const bytes = await readBounded(path, MAX_FILE_BYTES, NOTES_FILE).catch((error: unknown) => {
    if (toFailure(error).code === 'NOT_FOUND') return null
    throw error
  })
  if (bytes === null) return { text: null, findings: [] }
  const { text, findings } = decodeStateFile(NOTES_FILE, bytes, null)
  return { text: findings.length > 0 ? null : text, findings }
}

function requireShort(text: string): string {
  if (Buffer.byteLength(text) <= MAX_FILE_BYTES) return text
  throw new AppError('INVALID', `${NOTES_FILE} would be larger than ${MAX_FILE_BYTES / 2 ** 20} MiB.`, {
    hint: 'Remove notes that are done.',
  })
}
