import { bounded } from '@shared/contract/bounded'
import type { Input, Output, Payload } from '@shared/contract/contract'
import { AppError, toFailure } from '@shared/contract/errors'
import {
  draftSchema,
  MAX_ACTIONS,
  MAX_EDITS,
  offeredActionSchema,
  type EditRequest,
  type OfferedAction,
  type WriteResult,
} from '@shared/contract/edits'
import { MAX_LINE_CHARACTERS } from '@shared/contract/orchestration'
import type { GitStep } from '@shared/gitStep'
import { pinStep, planRollback, rollBack } from '../../git/rollback'
import type { TrustedFolder } from '../../git/trustedFolder'
import type { Database } from '../../storage/database'
import { EditStore, type EditChanges, type StoredEdit } from '../../storage/edits'
import type { SidecarStore } from '../../storage/sidecar'
import type { ActionPlan, FileChange } from '../../formats/edit/action'
import { EditAftermath } from './editAftermath'
import { settledPlan, writeEdit, type Editing } from './writeEdit'
import { describeEdit } from './describeEdit'
import { signatureOf } from './fieldChanges'
import { planAction, planRepair, planUndo, type RunFolder } from './planEdit'
import { readFromDisk, type RunOnDisk } from '../read/readRun'
import { offerRestore, planRestore, RESTORE_VERSION, type Restorable } from './restoreVersion'
import { changesSince, previewOf, tokenOf } from './previewEdit'
import { withRollback } from './previewRollback'

interface EditsOptions {
  readonly database: Database
  readonly sidecar: SidecarStore
  /** @throws AppError NOT_FOUND when the project is not open or has no such run */
  readonly placeOf: (project: number, run: string) => RunOnDisk
  /** Where a run is written, also one that is no longer there. @throws AppError NOT_FOUND when the project is not open */
  readonly folderOf: (project: number, run: string) => RunFolder
  /**
   * @param folder relative to the project
   * @throws AppError FORBIDDEN when the project is restricted
   */
  readonly trusted: (project: number, folder: string) => TrustedFolder
  readonly restorable: (project: number, run: string) => Promise<readonly Restorable[]>
  readonly onWritten: (project: number, file: string, hash: string) => void
  readonly writerOf: (project: number, file: string, hash: string | null) => string | null
  readonly onOverwritten: (event: Payload<'projects.overwritten'>) => void
  readonly onEdited: (event: Payload<'projects.edited'>) => void
  readonly log: (message: string, error?: unknown) => void
}

const MAX_SHOWN_PLANS = 50

interface Shown {
  readonly signature: string
  readonly plan: ActionPlan
  readonly begun?: StoredEdit
}

export class Edits {
  readonly #options: EditsOptions
  readonly #store: EditStore
  readonly #sidecar: SidecarStore
  readonly #shown = new Map<string, Shown>()
  readonly #aftermath: EditAftermath
  readonly #ended = new AbortController()

  constructor(options: EditsOptions) {
    this.#options = options
    this.#store = new EditStore(options.database)
    this.#sidecar = options.sidecar
    this.#aftermath = new EditAftermath({
      ...options,
      store: this.#store,
      editing: ({ project, run, changes }) => this.#editing(project, run, changes.request),
    })
  }

  async actions({ project, run, target }: Input<'projects.actions'>): Promise<Output<'projects.actions'>> {
    const place = this.#options.placeOf(project, run)
    const restores = (await this.#options.restorable(project, run)).map(offerRestore)
    const all = [...restores, ...place.format.actions(await readFromDisk(place))]
    const rank = ({ answersNeed, target: of }: OfferedAction): number => (answersNeed ? 0 : of === '' ? 1 : 2)
    const wanted =
      target === null ? [...all].sort((a, b) => rank(a) - rank(b)) : all.filter((action) => action.target === target)
    return {
      actions: wanted.slice(0, MAX_ACTIONS).map((action) => bounded(offeredActionSchema, action).value),
      more: Math.max(0, wanted.length - MAX_ACTIONS),
    }
  }

  async preview({ project, run, request }: Input<'projects.preview'>): Promise<Output<'projects.preview'>> {
    const plan = await settledPlan(this.#editing(project, run, request))
    const preview = plan.git
      ? withRollback(previewOf(plan), await planRollback(this.#trusted(project, run), plan.git, this.#ended.signal))
      : previewOf(plan)
    this.#shown.set(preview.token, { signature: signatureOf(plan), plan })
    for (const token of [...this.#shown.keys()].slice(0, -MAX_SHOWN_PLANS)) this.#shown.delete(token)
    return preview
  }

  async write({ project, run, request, token }: Input<'projects.write'>): Promise<WriteResult> {
    const editing = this.#editing(project, run, request)
    const shown = this.#shown.get(token)
    if (shown) return await this.#write(project, run, request, editing, shown)
    // It was shown by an earlier bridge, which knew its base.
    const plan = await editing.plan()
    if (tokenOf(plan) === token)
      return await this.#write(project, run, request, editing, { signature: signatureOf(plan), plan })
    return {
      outcome: 'conflict',
      reason: 'The files changed since this preview.',
      preview: previewOf(plan),
      changed: [],
    }
  }

  /** Like {@link write}, with a part that git does first. The person has agreed to it in a native dialog. */
  async writeWithGit({ project, run, request, token }: Input<'projects.writeWithGit'>): Promise<WriteResult> {
    const plan = await this.#plan(project, run, request)
    if (tokenOf(plan) !== token)
      return {
        outcome: 'conflict',
        reason: 'The files or the repository changed since this preview.',
        preview: await this.preview({ project, run, request }),
        changed: [],
      }
    if (!plan.git) throw new AppError('INVALID', 'This change does not use git.')
    const begun = await this.#gitPart(project, run, request, plan, plan.git)
    const { backup } = begun.changes.git
    const filesOnly = ({ git: _git, ...files }: ActionPlan): ActionPlan => files
    const editing = {
      ...this.#editing(project, run, request),
      plan: async () => filesOnly(await this.#planOnFiles(project, run, request)),
    }
    const half = `Git is done (backup: ${backup}), but the run’s files were not changed:`
    try {
      const result = await this.#write(project, run, request, editing, {
        signature: signatureOf(filesOnly(plan)),
        plan: filesOnly(plan),
        begun,
      })
      if (result.outcome !== 'conflict') return result
      this.#halfDone(begun, plan)
      return { ...result, reason: `${half} ${result.reason}`.slice(0, 4000), preview: null }
    } catch (error) {
      this.#halfDone(begun, plan)
      const { code, message, hint } = toFailure(error)
      throw new AppError(code, `${half} ${message}`.slice(0, 2000), {
        cause: error,
        ...(hint === undefined ? {} : { hint }),
      })
    }
  }

  /**
   * Listed before git is touched: after a crash the list tells what was there, and undoing it finds out how far git
   * came.
   */
  async #gitPart(project: number, run: string, request: EditRequest, plan: ActionPlan, step: GitStep) {
    let begun: (StoredEdit & { readonly changes: { readonly git: NonNullable<EditChanges['git']> } }) | undefined
    try {
      await rollBack(
        this.#trusted(project, run),
        step,
        this.#ended.signal,
        ({ before, head, backup, changesBackup }) => {
          const changes = {
            request,
            files: [],
            remembered: [],
            git: { kind: step.kind, before, head, backup, changesBackup, within: step.within },
          }
          const stored = {
            time: Date.now(),
            project,
            run,
            summary: inBrackets(`Started, outcome unknown: ${plan.summary}`, backup),
            changes,
          }
          begun = { ...stored, edit: this.#store.add(stored), undoneAt: null }
        },
      )
    } catch (error) {
      if (begun) this.#store.remove(begun.edit)
      throw error
    }
    if (!begun) throw new Error('Git was done before it was ready')
    return begun
  }

  #halfDone({ edit, project, changes }: StoredEdit, { summary }: ActionPlan): void {
    this.#store.setSummary(edit, inBrackets(`Git only: ${summary}`, changes.git?.backup ?? ''))
    this.#options.onEdited({ project })
  }

  async undo({ project, edit }: Input<'projects.undo'>): Promise<Output<'projects.undo'>> {
    const { run } = this.#require(project, edit)
    const request: EditRequest = { kind: 'undo', edit }
    const editing = this.#editing(project, run, request)
    const plan = await editing.plan()
    if (plan.git) return { outcome: 'git', preview: await this.preview({ project, run, request }) }
    return await this.#write(project, run, request, editing, { signature: signatureOf(plan), plan })
  }

  async undoable({ project, edits }: Input<'projects.undoable'>): Promise<Output<'projects.undoable'>> {
    const possible = await Promise.all(edits.map((edit) => this.#canUndo(project, edit)))
    return { edits: edits.filter((_, index) => possible[index]) }
  }

  async #canUndo(project: number, edit: number): Promise<boolean> {
    try {
      await this.#planOnFiles(project, this.#require(project, edit).run, { kind: 'undo', edit })
      return true
    } catch (error) {
      if (error instanceof AppError) return false
      throw error
    }
  }

  edits({ project, run }: Input<'projects.edits'>): Output<'projects.edits'> {
    return { edits: this.#store.page(project, run, MAX_EDITS).map(describeEdit) }
  }

  draft({ project, run, name, target }: Input<'projects.draft'>): Output<'projects.draft'> {
    const kept = this.#sidecar.draft(project, run, draftName(name, target))
    return { draft: kept === undefined ? null : draftSchema.parse(JSON.parse(kept)) }
  }

  keepDraft({ project, run, name, target, values }: Input<'projects.keepDraft'>): void {
    this.#sidecar.keepDraft(
      project,
      run,
      draftName(name, target),
      values === null ? null : JSON.stringify({ values, at: Date.now() }),
    )
  }

  ownWrite(project: number, change: FileChange, isWritten: boolean): void {
    this.#aftermath.ownWrite(project, change, isWritten)
  }

  filesChanged(project: number, files: ReadonlySet<string>): void {
    this.#aftermath.filesChanged(project, files)
  }

  async close(): Promise<void> {
    this.#ended.abort()
    await this.#aftermath.close()
  }

  #editing(project: number, run: string, request: EditRequest): Editing {
    // The edit that is undone may have moved its run away.
    if (request.kind !== 'undo') this.#options.placeOf(project, run)
    const { root, isStrict } = this.#options.folderOf(project, run)
    return {
      root,
      isStrict,
      plan: () => this.#plan(project, run, request),
      signal: this.#ended.signal,
    }
  }

  async #plan(project: number, run: string, request: EditRequest): Promise<ActionPlan> {
    const plan = await this.#planOnFiles(project, run, request)
    return plan.git ? { ...plan, git: await pinStep(this.#trusted(project, run), plan.git, this.#ended.signal) } : plan
  }

  #trusted(project: number, run: string): TrustedFolder {
    return this.#options.trusted(project, this.#options.placeOf(project, run).candidate.folder)
  }

  async #planOnFiles(project: number, run: string, request: EditRequest): Promise<ActionPlan> {
    const { placeOf, folderOf } = this.#options
    switch (request.kind) {
      case 'undo':
        return planUndo(folderOf(project, run), this.#require(project, request.edit))
      case 'repair':
        return planRepair(placeOf(project, run), request)
      case 'action':
        return request.name === RESTORE_VERSION
          ? planRestore(folderOf(project, run).root, request.target, await this.#options.restorable(project, run))
          : planAction(placeOf(project, run), request)
    }
  }

  #write(project: number, run: string, request: EditRequest, editing: Editing, shown: Shown): Promise<WriteResult> {
    return this.#aftermath.whileWriting(this.#writeAgreed(project, run, request, editing, shown))
  }

  async #writeAgreed(
    project: number,
    run: string,
    request: EditRequest,
    editing: Editing,
    shown: Shown,
  ): Promise<WriteResult> {
    if (shown.plan.git) throw new AppError('FORBIDDEN', 'A change of git’s history needs its own confirmation dialog.')
    const result = await writeEdit(editing, shown.signature)
    if (result.outcome === 'conflict') {
      const preview = result.plan ? await this.preview({ project, run, request }) : null
      return {
        outcome: 'conflict',
        reason: result.reason.slice(0, 4000),
        preview,
        changed: await changesSince(editing.root, shown.plan),
      }
    }
    const { plan, swaps } = result
    const changes = plan.changes.filter(({ before, after }) => before !== after)
    const remembered = this.#remember(project, run, plan)
    const { begun } = shown
    if (changes.length === 0 && remembered.length === 0 && !begun) return { outcome: 'nothing' }
    const git = begun?.changes.git
    const stored = {
      time: Date.now(),
      project,
      run,
      summary: git ? inBrackets(plan.summary, git.backup) : plan.summary.slice(0, MAX_LINE_CHARACTERS),
      changes: { request, files: changes, remembered, ...(git ? { git } : {}) },
    }
    const edit = begun?.edit ?? this.#store.add(stored)
    if (begun) {
      this.#store.setChanges(edit, stored.changes)
      this.#store.setSummary(edit, stored.summary)
    }
    if (request.kind === 'undo') {
      this.#store.setUndone(request.edit, stored.time)
      this.#aftermath.remove(request.edit)
    }
    if (request.kind === 'action')
      this.keepDraft({ project, run, name: request.name, target: request.target, values: null })
    this.#aftermath.add({ ...stored, edit, undoneAt: null }, editing, shown.signature, swaps)
    this.#options.onEdited({ project })
    return { outcome: 'written', edit, summary: stored.summary }
  }

  #remember(project: number, run: string, { remember }: ActionPlan): EditChanges['remembered'] {
    const known = this.#sidecar.all(project, run)
    const changed = Object.entries(remember ?? {}).flatMap(([name, after]) => {
      const before = known.get(name) ?? null
      return before === after ? [] : [{ name, before, after }]
    })
    if (changed.length === 0) return changed
    this.#sidecar.remember(project, run, Object.fromEntries(changed.map(({ name, after }) => [name, after])))
    return changed
  }

  #require(project: number, edit: number): StoredEdit {
    const stored = this.#store.get(project, edit)
    if (!stored) throw new AppError('NOT_FOUND', 'This edit is no longer on the list.')
    return stored
  }
}

const inBrackets = (summary: string, backup: string): string =>
  `${summary.slice(0, MAX_LINE_CHARACTERS - backup.length - 12)} (before: ${backup})`

const draftName = (name: string, target: string): string => JSON.stringify([name, target])
