import { setTimeout as wait } from 'node:timers/promises'
import type { FileChange } from '../../formats/edit/action'
import type { StoredEdit } from '../../storage/edits'
import { hashOfText, stampOf } from '../read/projectDisk'
import { readStateFile } from '../read/readStateFile'
import { isDropped } from './fieldChanges'

const GUARD_MS = 10 * 60_000

/** A watcher may miss a version. */
const CHECK_MS = 1_000
const CONFIRM_MS = 50

const MAX_OWN_VERSIONS = 1_000

const ownKey = (project: number, file: string, text: string): string => `${project} ${hashOfText(text)} ${file}`

interface EditGuardOptions {
  readonly rootOf: (project: number, run: string) => string | undefined
  /** @param theirs null when the file is gone */
  readonly onDropped: (edit: StoredEdit, change: FileChange, theirs: string | null) => Promise<void>
  /** Work that has to end before the project is closed. */
  readonly track: (edit: StoredEdit, work: Promise<void>) => void
}

export class EditGuard {
  readonly #options: EditGuardOptions
  readonly #guarded = new Map<number, StoredEdit>()
  readonly #stamps = new Map<string, string>()
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

  replace(edit: StoredEdit): void {
    if (this.#guarded.has(edit.edit)) this.#guarded.set(edit.edit, edit)
  }

  has(edit: StoredEdit): boolean {
    return this.#guarded.get(edit.edit) === edit
  }

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

  supersede({ project, changes }: StoredEdit): void {
    for (const other of [...this.#guarded.values()]) {
      const isTaken = other.changes.files.some((change) =>
        changes.files.some(({ file, after }) => file === change.file && isDropped(change, after)),
      )
      if (other.project === project && isTaken) this.#guarded.delete(other.edit)
    }
  }

  remove(edit: number): boolean {
    return this.#guarded.delete(edit)
  }

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
      await wait(CONFIRM_MS)
      const { text } = await readStateFile(root, change.file)
      // An earlier check may have ended or merged it.
      if (!this.has(edit)) return
      if (text !== null && this.#own.has(ownKey(edit.project, change.file, text))) this.#guarded.delete(edit.edit)
      else if (isDropped(change, text)) await this.#options.onDropped(edit, change, text)
    }
  }
}
