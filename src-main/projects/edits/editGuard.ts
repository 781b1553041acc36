import { setTimeout as wait } from 'node:timers/promises'
import type { FileChange } from '../../formats/edit/action'
import type { StoredEdit } from '../../storage/edits'
import { hashOfText, stampOf } from '../read/projectDisk'
import { readStateFile } from '../read/readStateFile'
import { isDropped } from './fieldChanges'

const GUARD_MS = 10 * 60_000

/** A watcher may miss a version: guarded files are looked at this often too. */
const CHECK_MS = 1_000
const CONFIRM_MS = 50

const MAX_OWN_VERSIONS = 1_000

const ownKey = (project: number, file: string, text: string): string => `${project} ${hashOfText(text)} ${file}`

interface EditGuardOptions {
  /** Of a project that is open; undefined when it was closed meanwhile. */
  readonly rootOf: (project: number, run: string) => string | undefined
  /** @param theirs what stands in the file now; null when it is gone */
  readonly onDropped: (edit: StoredEdit, change: FileChange, theirs: string | null) => Promise<void>
  /** Work that has to end before the project is closed. */
  readonly track: (edit: StoredEdit, work: Promise<void>) => void
}

/** Watches for a while whether another program drops what an edit wrote. */
export class EditGuard {
  readonly #options: EditGuardOptions
  /** By number. */
  readonly #guarded = new Map<number, StoredEdit>()
  /** What their files looked like last, by project and file. */
  readonly #stamps = new Map<string, string>()
  /** Versions that loops of ours write. */
  readonly #own = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: EditGuardOptions) {
    this.#options = options
  }

  add(edit: StoredEdit): void {
    this.#guarded.set(edit.edit, edit)
    this.#schedule()
  }

  /** Nothing where it is not guarded any more. */
  replace(edit: StoredEdit): void {
    if (this.#guarded.has(edit.edit)) this.#guarded.set(edit.edit, edit)
  }

  has(edit: StoredEdit): boolean {
    return this.#guarded.get(edit.edit) === edit
  }

  /** What a loop of ours is about to write. */
  expectOwn(project: number, { file, after }: FileChange): void {
    if (after === null || ![...this.#guarded.values()].some((edit) => edit.project === project)) return
    this.#own.add(ownKey(project, file, after))
    for (const oldest of this.#own) {
      if (this.#own.size <= MAX_OWN_VERSIONS) break
      this.#own.delete(oldest)
    }
  }

  /** What a loop of ours has taken away is done with; what was gone before, another program has dropped. */
  releaseTaken(project: number, own: FileChange): void {
    for (const edit of [...this.#guarded.values()]) {
      const taken = edit.changes.files.find((change) => change.file === own.file && isDropped(change, own.after))
      if (edit.project !== project || !taken) continue
      if (isDropped(taken, own.before)) this.#options.track(edit, this.#options.onDropped(edit, taken, own.before))
      else this.#guarded.delete(edit.edit)
    }
  }

  /** What a later edit takes away, the person has decided. */
  supersede({ project, changes }: StoredEdit): void {
    for (const other of [...this.#guarded.values()]) {
      const isTaken = other.changes.files.some((change) =>
        changes.files.some(({ file, after }) => file === change.file && isDropped(change, after)),
      )
      if (other.project === project && isTaken) this.#guarded.delete(other.edit)
    }
  }

  /** Whether it was guarded. */
  remove(edit: number): boolean {
    return this.#guarded.delete(edit)
  }

  /** Checks the edits of files that were seen to change. */
  filesChanged(project: number, files: ReadonlySet<string>): void {
    if (this.#isClosed) return
    for (const edit of [...this.#guarded.values()]) {
      if (edit.project !== project) continue
      const root = this.#options.rootOf(project, edit.run)
      const touched = edit.changes.files.filter(({ file }) => files.has(file))
      if (root !== undefined && touched.length > 0) this.#options.track(edit, this.#check(root, edit, touched))
    }
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  #schedule(): void {
    if (this.#isClosed) return
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#checkStamps()
      if (this.#guarded.size > 0) this.#schedule()
      else this.#stamps.clear()
    }, CHECK_MS)
  }

  #checkStamps(): void {
    for (const { edit, time, project, run, changes } of [...this.#guarded.values()]) {
      if (Date.now() - time > GUARD_MS) this.#guarded.delete(edit)
      const root = this.#options.rootOf(project, run)
      if (root === undefined) continue
      for (const { file } of changes.files) {
        const key = `${project} ${file}`
        const stamp = stampOf(root, file)
        if (this.#stamps.get(key) === stamp) continue
        this.#stamps.set(key, stamp)
        this.filesChanged(project, new Set([file]))
      }
    }
  }

  async #check(root: string, edit: StoredEdit, touched: readonly FileChange[]): Promise<void> {
    for (const change of touched) {
      if (!isDropped(change, (await readStateFile(root, change.file)).text)) continue
      // It may have been half written.
      await wait(CONFIRM_MS)
      const { text } = await readStateFile(root, change.file)
      // A check before this one may have ended it, or merged it.
      if (!this.has(edit)) return
      if (text !== null && this.#own.has(ownKey(edit.project, change.file, text))) this.#guarded.delete(edit.edit)
      else if (isDropped(change, text)) await this.#options.onDropped(edit, change, text)
    }
  }
}
