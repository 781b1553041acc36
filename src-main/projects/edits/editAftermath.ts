import type { Payload } from '@shared/contract/contract'
import { KeyedQueue } from '@shared/keyedQueue'
import { mergeAndSwap, SwapConflict, type SwapOptions } from '../../files/compareAndSwap'
import type { FileChange } from '../../formats/edit/action'
import type { EditStore, StoredEdit } from '../../storage/edits'
import { hashOfText } from '../read/projectDisk'
import { EditGuard } from './editGuard'
import { isDropped, mergedChange, signatureOf } from './fieldChanges'
import type { RunFolder } from './planEdit'
import { settleEdit, type Aftereffect, type Editing, type Swap } from './writeEdit'

interface EditAftermathOptions {
  readonly store: EditStore
  /** Where a run is written, also one that is no longer there. @throws AppError NOT_FOUND when the project is not open */
  readonly folderOf: (project: number, run: string) => RunFolder
  readonly editing: (edit: StoredEdit) => Editing
  readonly onWritten: (project: number, file: string, hash: string) => void
  readonly writerOf: (project: number, file: string, hash: string | null) => string | null
  readonly onOverwritten: (event: Payload<'projects.overwritten'>) => void
  readonly onEdited: (event: Payload<'projects.edited'>) => void
  readonly log: (message: string, error?: unknown) => void
}

/** Whoever drops an edit so soon had read the file before it. */
const UNSEEN_MS = 2_000

export class EditAftermath {
  readonly #options: EditAftermathOptions
  readonly #guard: EditGuard
  /** By edit: a drop that is seen during a merge is judged after it. */
  readonly #turns = new KeyedQueue()
  readonly #settling = new Set<Promise<void>>()
  readonly #writing = new Set<Promise<unknown>>()

  constructor(options: EditAftermathOptions) {
    this.#options = options
    this.#guard = new EditGuard({
      rootOf: (project, run) => this.#rootOf(project, run),
      onDropped: (edit, change, theirs) => this.#inTurn(edit, () => this.#mergeOrDrop(edit, change, theirs)),
      track: (edit, work) => this.#track(edit, work),
    })
  }

  /** Holds back what is found meanwhile until the edit was added, as it may be the edit's own doing. */
  whileWriting<Result>(write: Promise<Result>): Promise<Result> {
    const writing = write.finally(() => this.#writing.delete(writing))
    this.#writing.add(writing)
    return writing
  }

  add(edit: StoredEdit, editing: Editing, agreed: string, swaps: readonly Swap[]): void {
    this.#noteWritten(edit.project, edit.changes.files)
    this.#guard.supersede(edit)
    this.#guard.add(edit)
    this.#settle(edit, editing, agreed, swaps)
  }

  remove(edit: number): void {
    this.#guard.remove(edit)
  }

  /** What a loop of Bridgedeck itself takes away is not missed. */
  ownWrite(project: number, change: FileChange, isWritten: boolean): void {
    this.#noteWritten(project, [change])
    if (isWritten) this.#guard.releaseTaken(project, change)
    else this.#guard.expectOwn(project, change)
  }

  filesChanged(project: number, files: ReadonlySet<string>): void {
    this.#guard.filesChanged(project, files)
  }

  async close(): Promise<void> {
    this.#guard.close()
    while (this.#settling.size > 0) await Promise.all(this.#settling)
  }

  #settle(edit: StoredEdit, editing: Editing, agreed: string, swaps: readonly Swap[]): void {
    this.#track(
      edit,
      settleEdit(editing, agreed, swaps).then((effect) => this.#inTurn(edit, async () => this.#settled(edit, effect))),
    )
  }

  #settled(edit: StoredEdit, effect: Aftereffect): void {
    const { project, run, summary } = edit
    if (effect.kind === 'merged')
      this.#merged(
        edit,
        effect.plan.changes.filter(({ before, after }) => before !== after),
      )
    else if (effect.kind === 'overwritten') {
      if (this.#isCurrent(edit, effect.file)) this.#dropped(edit, effect.file, effect.theirs)
    } else if (effect.kind === 'replaced') {
      this.#options.onOverwritten({
        project,
        run,
        edit: edit.edit,
        summary,
        at: Date.now(),
        by: null,
        kind: 'raced',
        file: effect.file.slice(0, 1000),
      })
    }
  }

  #merged(edit: StoredEdit, files: readonly FileChange[]): StoredEdit {
    this.#noteWritten(edit.project, files)
    const merged = { ...edit, changes: { ...edit.changes, files: [...files] } }
    this.#options.store.setChanges(edit.edit, merged.changes)
    this.#guard.replace(merged)
    return merged
  }

  /**
   * Another program's version without the edit gets it too, where that program cannot have seen it and changed
   * something else.
   */
  async #mergeOrDrop(stored: StoredEdit, change: FileChange, theirs: string | null): Promise<void> {
    await Promise.allSettled(this.#writing)
    if (!this.#isCurrent(stored, change.file)) return
    const { project, run, time, changes } = stored
    // Another bridge of the same person may have undone it.
    if (typeof this.#options.store.get(project, stored.edit)?.undoneAt === 'number') {
      this.#guard.remove(stored.edit)
      return
    }
    const { root, isStrict } = this.#options.folderOf(project, run)
    const isUnseen = theirs !== null && theirs !== change.before && Date.now() - time < UNSEEN_MS
    const merge = (now: string) => (isDropped(change, now) ? (mergedChange(change, now)?.after ?? undefined) : now)
    const swapped = isUnseen ? await this.#swap(change.file, merge, { root, isStrict }) : undefined
    if (swapped === undefined) this.#dropped(stored, change.file, theirs)
    if (!swapped || swapped === 'moved on' || swapped.before === swapped.after) return
    const again = { file: change.file, before: swapped.before, after: swapped.after }
    const files = changes.files.map((other) => (other.file === change.file ? again : other))
    const merged = this.#merged(stored, files)
    const agreed = signatureOf({ summary: '', warnings: [], changes: changes.files })
    this.#settle(merged, this.#options.editing(merged), agreed, [{ change: again, swapped }])
  }

  #isCurrent(edit: StoredEdit, file: string): boolean {
    const isCurrent = this.#guard.has(edit)
    if (!isCurrent) this.#guard.filesChanged(edit.project, new Set([file]))
    return isCurrent
  }

  #inTurn({ edit }: StoredEdit, work: () => Promise<void>): Promise<void> {
    return this.#turns.run(String(edit), work)
  }

  #swap(file: string, merge: (now: string) => string | undefined, options: SwapOptions) {
    return mergeAndSwap(file, merge, options).catch((error: unknown) => {
      if (error instanceof SwapConflict) return 'moved on' as const
      throw error
    })
  }

  #dropped(stored: StoredEdit, file: string, theirs: string | null): void {
    const { edit, project, run, summary, changes } = stored
    if (!this.#guard.remove(edit)) return
    const at = Date.now()
    const by = this.#options.writerOf(project, file, theirs === null ? null : hashOfText(theirs))
    this.#options.store.setChanges(edit, { ...changes, overwritten: { at, file, by, theirs } })
    this.#options.onOverwritten({ project, run, edit, summary, file: file.slice(0, 1000), at, by, kind: 'dropped' })
    this.#options.onEdited({ project })
  }

  #noteWritten(project: number, changes: readonly FileChange[]): void {
    for (const { file, after } of changes) if (after !== null) this.#options.onWritten(project, file, hashOfText(after))
  }

  #rootOf(project: number, run: string): string | undefined {
    try {
      return this.#options.folderOf(project, run).root
    } catch {
      return undefined
    }
  }

  /** The project being closed meanwhile is no failure. */
  #track({ project, run }: StoredEdit, work: Promise<void>): void {
    const tracked = work
      .catch((error: unknown) => {
        if (this.#rootOf(project, run) !== undefined) this.#options.log('Could not watch an edit', error)
      })
      .finally(() => this.#settling.delete(tracked))
    this.#settling.add(tracked)
  }
}
