/** What a person changes in the runs of open projects: planned, shown, written, followed for a while, taken back. */
import type { Input, Output, Payload } from '@shared/contract/contract'
import { AppError, toFailure } from '@shared/contract/errors'
import {
  LONGEST_ACTIONS,
  LONGEST_EDITS,
  LONGEST_VALUE,
  type Edit,
  type EditRequest,
  type OfferedAction,
  type OfferedField,
  type WriteResult,
} from '@shared/contract/edits'
import { LONGEST_LINE } from '@shared/contract/orchestration'
import { pinStep, planRollback, rollBack } from '../../git/rollback'
import type { TrustedFolder } from '../../git/trustedFolder'
import type { Database } from '../../storage/database'
import { EditStore, type EditChanges, type StoredEdit } from '../../storage/edits'
import type { SidecarStore } from '../../storage/sidecar'
import { hashOfText, stampOf } from '../read/projectDisk'
import { z } from 'zod'
import type { Action, ActionField, ActionPlan, FileChange, GitStep } from '../../formats/edit/action'
import { settleEdit, writeEdit, type Aftereffect, type Editing } from './edit'
import { isDropped, signatureOf, takenBack } from './fieldChanges'
import { applyEdits } from '../../formats/finding'
import { readFromDisk, type RunOnDisk } from '../read/readRun'
import { differences } from '../journal/observe'
import { previewOf, tokenOf } from './previewEdit'
import { withRollback } from './previewRollback'
import { readStateFile } from '../read/projectFiles'
import type { StateFile } from '../../formats/text/stateFile'

interface EditsOptions {
  readonly database: Database
  readonly sidecar: SidecarStore
  /** @throws AppError NOT_FOUND when the project is not open or has no such run */
  readonly placeOf: (project: number, run: string) => RunOnDisk
  /** @param folder relative to the project @throws AppError FORBIDDEN when the project is restricted */
  readonly trusted: (project: number, folder: string) => TrustedFolder
  /** A version of a file was written. */
  readonly onWritten: (project: number, file: string, hash: string) => void
  /** Who wrote a version; null when nobody can tell. */
  readonly writerOf: (project: number, file: string, hash: string | null) => string | null
  readonly onOverwritten: (event: Payload<'projects.overwritten'>) => void
  readonly onEdited: (event: Payload<'projects.edited'>) => void
  readonly log: (message: string, error?: unknown) => void
}

/** Plans that were shown, to tell what others changed since. */
const SHOWN = 50

/** How long it is watched whether another program drops an edit, ms. */
const GUARDED = 10 * 60_000

/** A watcher may miss a version: files with such edits are looked at this often too, ms. */
const LOOK = 1_000

interface Shown {
  readonly signature: string
  readonly plan: ActionPlan
  /** Git did its part, which stands as this edit on the list already. */
  readonly begun?: StoredEdit
}

export class Edits {
  readonly #options: EditsOptions
  readonly #store: EditStore
  readonly #sidecar: SidecarStore
  /** By token, the oldest first. */
  readonly #shown = new Map<string, Shown>()
  /** Edits that another program may still drop, by number. */
  readonly #guarded = new Map<number, StoredEdit>()
  /** What the guarded files looked like last, by project and file. */
  readonly #stamps = new Map<string, string>()
  #looking: NodeJS.Timeout | undefined
  readonly #ended = new AbortController()
  readonly #settling = new Set<Promise<void>>()

  constructor(options: EditsOptions) {
    this.#options = options
    this.#store = new EditStore(options.database)
    this.#sidecar = options.sidecar
  }

  async actions({ project, run, target }: Input<'projects.actions'>): Promise<Output<'projects.actions'>> {
    const place = this.#options.placeOf(project, run)
    const all = place.format.actions(await readFromDisk(place))
    const rank = ({ answersNeed, target: of }: Action): number => (answersNeed ? 0 : of === '' ? 1 : 2)
    const wanted =
      target === null ? [...all].sort((a, b) => rank(a) - rank(b)) : all.filter((action) => action.target === target)
    return {
      actions: wanted.slice(0, LONGEST_ACTIONS).map(describeAction),
      more: Math.max(0, wanted.length - LONGEST_ACTIONS),
    }
  }

  async preview({ project, run, request }: Input<'projects.preview'>): Promise<Output<'projects.preview'>> {
    const plan = await this.#editing(project, run, request).plan()
    const preview = plan.git
      ? withRollback(previewOf(plan), await planRollback(this.#trusted(project, run), plan.git, this.#ended.signal))
      : previewOf(plan)
    this.#shown.set(preview.token, { signature: signatureOf(plan), plan })
    for (const token of [...this.#shown.keys()].slice(0, -SHOWN)) this.#shown.delete(token)
    return preview
  }

  async write({ project, run, request, token }: Input<'projects.write'>): Promise<WriteResult> {
    const editing = this.#editing(project, run, request)
    const shown = this.#shown.get(token)
    if (shown) return await this.#write(project, run, request, editing, shown)
    // It was shown by a bridge before this one, which knew what it was made on.
    const plan = await editing.plan()
    if (tokenOf(plan) === token)
      return await this.#write(project, run, request, editing, { signature: signatureOf(plan), plan })
    return {
      outcome: 'conflict',
      reason: 'The files were changed since you saw it.',
      preview: previewOf(plan),
      changed: [],
    }
  }

  /** Like {@link write}, for what git does a part of: that comes first. The person has agreed to it in a native dialog. */
  async writeWithGit({ project, run, request, token }: Input<'projects.writeWithGit'>): Promise<WriteResult> {
    const plan = await this.#plan(project, run, request)
    if (tokenOf(plan) !== token)
      return {
        outcome: 'conflict',
        reason: 'What it would do changed since you saw it.',
        preview: await this.preview({ project, run, request }),
        changed: [],
      }
    if (!plan.git) throw new AppError('INVALID', 'Git has no part in this.')
    const begun = await this.#gitPart(project, run, request, plan, plan.git)
    const { backup } = begun.changes.git
    const filesOnly = ({ git: _git, ...files }: ActionPlan): ActionPlan => files
    const editing = {
      ...this.#editing(project, run, request),
      plan: async () => filesOnly(await this.#planOnFiles(project, run, request)),
    }
    const half = `Git has done its part, and what was there is kept as ${backup}. The files of the run are as they were:`
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

  /** On the list before git is touched: after a crash it tells what was there, and undoing it finds out how far git came. */
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
            git: { kind: step.kind, before, head, backup, changesBackup },
          }
          const stored = {
            time: Date.now(),
            project,
            run,
            summary: inBrackets(`Begun, and not known to be done: ${plan.summary}`, backup),
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
    this.#store.tell(edit, inBrackets(`Git’s part alone: ${summary}`, changes.git?.backup ?? ''))
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

  edits({ project, run }: Input<'projects.edits'>): Output<'projects.edits'> {
    return { edits: this.#store.page(project, run, LONGEST_EDITS).map(describeEdit) }
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

  /** Looks after the edits of files that were seen to change. */
  observed(project: number, files: ReadonlySet<string>): void {
    if (this.#ended.signal.aborted) return
    for (const edit of [...this.#guarded.values()]) {
      if (edit.project !== project || !this.#isOpen(project, edit.run)) continue
      const touched = edit.changes.files.filter(({ file }) => files.has(file))
      if (touched.length > 0) this.#keep(edit, this.#lookAfter(edit, touched))
    }
  }

  /** Ends what is still watched. */
  async close(): Promise<void> {
    this.#ended.abort()
    clearTimeout(this.#looking)
    while (this.#settling.size > 0) await Promise.all(this.#settling)
  }

  #editing(project: number, run: string, request: EditRequest): Editing {
    const { root, format } = this.#options.placeOf(project, run)
    return {
      root,
      isStrict: format.name === 'maestro',
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
    const place = this.#options.placeOf(project, run)
    if (request.kind === 'undo') return await this.#planUndo(place, this.#require(project, request.edit))
    if (request.kind === 'repair') {
      const files = await readFromDisk(place)
      const { rule, file, line, column } = request
      const finding = place.format
        .validate(files)
        .find(
          (other) =>
            other.repair &&
            other.rule === rule &&
            other.file === file &&
            other.line === line &&
            other.column === column,
        )
      const before = files.files.get(file)?.text ?? null
      if (!finding?.repair || before === null)
        throw new AppError('NOT_FOUND', `What was to be repaired in ${file} is not there any more.`)
      return {
        summary: `Repaired ${file}: ${finding.repair.title}`,
        changes: [{ file, before, after: applyEdits(before, finding.repair.edits) }],
        warnings: [],
      }
    }
    const { name, target, values } = request
    const asked = { name, target, values, now: Date.now() }
    return place.format.plan(await readFromDisk(place, asked), asked)
  }

  async #planUndo(
    { root, remembered }: RunOnDisk,
    { edit, summary, undoneAt, changes }: StoredEdit,
  ): Promise<ActionPlan> {
    const git = restoring(summary, changes)
    if (undoneAt !== null) throw new AppError('CONFLICT', `“${summary}” is undone already.`)
    const planned: FileChange[] = []
    for (const change of [...changes.files].reverse()) {
      const { text: now, findings } = await readStateFile(root, change.file)
      if (now === null && findings.some(({ rule }) => rule !== 'file/unreadable'))
        throw new AppError('INVALID', `${change.file} cannot be read, so nothing in it is undone.`)
      const back = takenBack(change, now)
      if (!back) {
        throw new AppError(
          'CONFLICT',
          `${change.file} was changed since at the same places, so edit ${edit} cannot be taken out of it.`,
          {
            hint: 'The journal of the run tells what was changed; the file can be changed in an editor.',
          },
        )
      }
      planned.push({ file: change.file, before: now, after: back.after })
    }
    const remember: Record<string, string | null> = {}
    for (const { name, before, after } of changes.remembered)
      if ((remembered.get(name) ?? null) === after) remember[name] = before
    const put = changes.git?.changesBackup ?? null
    return {
      summary: `Undid: ${summary.replace(/ \(before: \S+\)$/, '')}`,
      changes: planned,
      warnings:
        put === null ? [] : [`What was not committed then is not in it; this brings it back: git stash apply ${put}`],
      ...(git ? { git } : {}),
      ...(Object.keys(remember).length > 0 ? { remember } : {}),
    }
  }

  async #write(
    project: number,
    run: string,
    request: EditRequest,
    editing: Editing,
    shown: Shown,
  ): Promise<WriteResult> {
    if (shown.plan.git)
      throw new AppError('FORBIDDEN', 'What changes git’s history is agreed to in a dialog of its own.')
    const result = await writeEdit(editing, shown.signature)
    if (result.outcome === 'conflict') {
      const preview = result.plan ? await this.preview({ project, run, request }) : null
      return {
        outcome: 'conflict',
        reason: result.reason.slice(0, 4000),
        preview,
        changed: await this.#changedSince(editing.root, shown.plan),
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
      summary: git ? inBrackets(plan.summary, git.backup) : plan.summary.slice(0, LONGEST_LINE),
      changes: { request, files: changes, remembered, ...(git ? { git } : {}) },
    }
    const edit = begun?.edit ?? this.#store.add(stored)
    if (begun) {
      this.#store.change(edit, stored.changes)
      this.#store.tell(edit, stored.summary)
    }
    this.#noteWritten(project, changes)
    if (request.kind === 'undo') {
      this.#store.undone(request.edit, stored.time)
      this.#guarded.delete(request.edit)
    }
    if (request.kind === 'action')
      this.keepDraft({ project, run, name: request.name, target: request.target, values: null })
    const known: StoredEdit = { ...stored, edit, undoneAt: null }
    this.#guard(known)
    this.#keep(
      known,
      settleEdit(editing, shown.signature, swaps).then((effect) => this.#settled(known, effect)),
    )
    this.#options.onEdited({ project })
    return { outcome: 'written', edit, summary: stored.summary }
  }

  /** @returns what was remembered before and is now */
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

  #noteWritten(project: number, changes: readonly FileChange[]): void {
    for (const { file, after } of changes) if (after !== null) this.#options.onWritten(project, file, hashOfText(after))
  }

  #guard(edit: StoredEdit): void {
    this.#guarded.set(edit.edit, edit)
    this.#lookSoon()
  }

  #lookSoon(): void {
    if (this.#ended.signal.aborted) return
    this.#looking ??= setTimeout(() => {
      this.#looking = undefined
      this.#lookAtAll()
      if (this.#guarded.size > 0) this.#lookSoon()
      else this.#stamps.clear()
    }, LOOK)
  }

  #lookAtAll(): void {
    for (const { edit, time, project, run, changes } of [...this.#guarded.values()]) {
      if (Date.now() - time > GUARDED) this.#guarded.delete(edit)
      if (!this.#isOpen(project, run)) continue
      for (const { file } of changes.files) {
        const key = `${project} ${file}`
        const stamp = stampOf(this.#options.placeOf(project, run).root, file)
        if (this.#stamps.get(key) === stamp) continue
        this.#stamps.set(key, stamp)
        this.observed(project, new Set([file]))
      }
    }
  }

  async #lookAfter(edit: StoredEdit, touched: readonly FileChange[]): Promise<void> {
    for (const change of touched) {
      const { text } = await readStateFile(this.#options.placeOf(edit.project, edit.run).root, change.file)
      if (isDropped(change, text)) this.#dropped(edit, change.file, text)
    }
  }

  #settled(edit: StoredEdit, effect: Aftereffect): void {
    const { project, run, summary, changes } = edit
    if (effect.kind === 'merged') {
      const files = effect.plan.changes.filter(({ before, after }) => before !== after)
      this.#noteWritten(project, files)
      const merged = { ...edit, changes: { ...changes, files } }
      this.#store.change(edit.edit, merged.changes)
      if (this.#guarded.has(edit.edit)) this.#guarded.set(edit.edit, merged)
    } else if (effect.kind === 'overwritten') this.#dropped(edit, effect.file, effect.theirs)
    else if (effect.kind === 'replaced') {
      this.#options.onOverwritten({
        project,
        run,
        edit: edit.edit,
        summary,
        file: effect.file.slice(0, 1000),
        at: Date.now(),
        by: null,
        kind: 'raced',
      })
    }
  }

  #dropped({ edit, project, run, summary, changes }: StoredEdit, file: string, theirs: string | null): void {
    if (!this.#guarded.delete(edit)) return
    const at = Date.now()
    const by = this.#options.writerOf(project, file, theirs === null ? null : hashOfText(theirs))
    this.#store.change(edit, { ...changes, overwritten: { at, file, by, theirs } })
    this.#options.onOverwritten({ project, run, edit, summary, file: file.slice(0, 1000), at, by, kind: 'dropped' })
    this.#options.onEdited({ project })
  }

  async #changedSince(
    root: string,
    { changes }: ActionPlan,
  ): Promise<Extract<WriteResult, { outcome: 'conflict' }>['changed']> {
    const changed = []
    for (const { file, before } of changes) {
      const now = await readStateFile(root, file)
      if (now.text === before) continue
      const was: StateFile = { ...now, text: before, findings: [] }
      for (const change of differences(was, now)) changed.push({ file: file.slice(0, 1000), ...change })
    }
    return changed.slice(0, 500)
  }

  #require(project: number, edit: number): StoredEdit {
    const stored = this.#store.get(project, edit)
    if (!stored) throw new AppError('NOT_FOUND', 'This edit is not on the list any more.')
    return stored
  }

  /** Of a project that was closed meanwhile, nothing is looked at. */
  #isOpen(project: number, run: string): boolean {
    try {
      this.#options.placeOf(project, run)
      return true
    } catch {
      return false
    }
  }

  /** Lets it go on until {@link close}. That the project was closed meanwhile is no failure. */
  #keep({ project, run }: StoredEdit, work: Promise<void>): void {
    const kept = work
      .catch((error: unknown) => {
        if (this.#isOpen(project, run)) this.#options.log('An edit could not be watched', error)
      })
      .finally(() => this.#settling.delete(kept))
    this.#settling.add(kept)
  }
}

const inBrackets = (summary: string, backup: string): string =>
  `${summary.slice(0, LONGEST_LINE - backup.length - 12)} (before: ${backup})`

/** What git has to do for an edit to be undone. @throws AppError CONFLICT with the command where Bridgedeck does not do it itself */
function restoring(summary: string, { git, files, remembered }: EditChanges): GitStep | undefined {
  if (git && git.before !== git.head) return { kind: 'restore', backup: git.backup, commit: git.before, head: git.head }
  if (files.length + remembered.length > 0) return undefined
  const hint = git?.changesBackup
    ? `This brings it back: git stash apply ${git.changesBackup}`
    : 'The refs in refs/bridgedeck/backup have what was there.'
  throw new AppError('CONFLICT', `“${summary}” moved no branch: there is nothing that Bridgedeck could take back.`, {
    hint,
  })
}

const draftName = (name: string, target: string): string => JSON.stringify([name, target])

const draftSchema = z.object({
  values: z.record(z.string(), z.union([z.string(), z.number(), z.array(z.string())])),
  at: z.number(),
})

const cut = (text: string, most = LONGEST_LINE): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text)

const describeAction = ({ name, target, title, effect, fields, source, answersNeed }: Action): OfferedAction => ({
  name,
  target,
  title: cut(title),
  effect: cut(effect, 2000),
  fields: fields.slice(0, 50).map(describeField),
  source,
  answersNeed,
})

function describeField(field: ActionField): OfferedField {
  const { name, label, help, optional } = field
  const ofEvery = {
    name,
    label: cut(label),
    ...(help === undefined ? {} : { help: cut(help, 2000) }),
    ...(optional === undefined ? {} : { optional }),
  }
  switch (field.kind) {
    case 'line':
    case 'text':
      return {
        ...ofEvery,
        kind: field.kind,
        value: field.value.slice(0, LONGEST_VALUE),
        ...(field.suggestions === undefined
          ? {}
          : { suggestions: field.suggestions.slice(0, 50).map((text) => cut(text)) }),
      }
    case 'number': {
      const { kind, value, minimum, maximum, step } = field
      return {
        ...ofEvery,
        kind,
        value,
        ...(minimum === undefined ? {} : { minimum }),
        ...(maximum === undefined ? {} : { maximum }),
        ...(step === undefined ? {} : { step }),
      }
    }
    case 'choice':
      return { ...ofEvery, kind: field.kind, value: field.value, options: optionsOf(field) }
    case 'several':
      return { ...ofEvery, kind: field.kind, value: [...field.value], options: optionsOf(field) }
  }
}

const optionsOf = ({ options }: Extract<ActionField, { kind: 'choice' | 'several' }>) =>
  options.slice(0, 500).map(({ value, label }) => ({ value, label: cut(label) }))

const describeEdit = ({
  edit,
  time,
  run,
  summary,
  changes: { files, overwritten, request },
  undoneAt,
}: StoredEdit): Edit => ({
  edit,
  time,
  run,
  summary,
  files: files.slice(0, 200).map(({ file }) => file.slice(0, 1000)),
  undoneAt,
  overwritten: overwritten ? { at: overwritten.at, file: overwritten.file.slice(0, 1000), by: overwritten.by } : null,
  request,
})
