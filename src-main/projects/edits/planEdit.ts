import { AppError } from '@shared/contract/errors'
import type { EditRequest } from '@shared/contract/edits'
import { applyEdits } from '../../formats/finding'
import type { GitStep } from '@shared/gitStep'
import { runWorktree } from '@shared/worktree'
import type { ActionPlan, FileChange } from '../../formats/edit/action'
import type { StateFile } from '../../formats/text/stateFile'
import type { EditChanges, StoredEdit } from '../../storage/edits'
import { readStateFile } from '../read/readStateFile'
import { readFromDisk, type RunOnDisk } from '../read/readRun'
import { movedTo, takenBack } from './fieldChanges'

type Repair = Extract<EditRequest, { kind: 'repair' }>
type ActionEdit = Extract<EditRequest, { kind: 'action' }>

/** @throws AppError when the action does not fit the files as they are */
export async function planAction(run: RunOnDisk, { name, target, values }: ActionEdit): Promise<ActionPlan> {
  const request = { name, target, values, now: Date.now() }
  const plan = run.format.plan(await readFromDisk(run, request), request)
  const within = runWorktree(run.remembered)
  const { git } = plan
  const isInside = within && git && git.kind !== 'merge' && git.kind !== 'throw-away'
  return isInside ? { ...plan, git: { ...git, within } } : plan
}

/** @throws AppError NOT_FOUND when what was to be repaired is gone */
export async function planRepair(run: RunOnDisk, { rule, file, line, column }: Repair): Promise<ActionPlan> {
  const files = await readFromDisk(run)
  const finding = run.format
    .validate(files)
    .find(
      (other) =>
        other.repair && other.rule === rule && other.file === file && other.line === line && other.column === column,
    )
  const before = files.files.get(file)?.text ?? null
  if (!finding?.repair || before === null) throw new AppError('NOT_FOUND', `The problem to repair in ${file} is gone.`)
  return {
    summary: `Repaired ${file}: ${finding.repair.title}`,
    changes: [{ file, before, after: applyEdits(before, finding.repair.edits) }],
    warnings: [],
  }
}

export interface RunFolder extends Pick<RunOnDisk, 'root' | 'remembered'> {
  readonly isStrict: boolean
}

/** @throws AppError CONFLICT when the edit cannot be taken out of the present files */
export async function planUndo({ root, remembered }: RunFolder, stored: StoredEdit): Promise<ActionPlan> {
  const { summary, undoneAt, changes } = stored
  const git = restoringStep(summary, changes)
  if (undoneAt !== null) throw new AppError('CONFLICT', `“${summary}” is already undone.`)
  const planned: FileChange[] = []
  for (const change of [...changes.files].reverse()) {
    const { mode } = change
    planned.push({ ...(await takeBack(root, change, summary)), mode, from: movedTo(change.file, changes.files) })
  }
  const remember: Record<string, string | null> = {}
  for (const { name, before, after } of changes.remembered)
    if ((remembered.get(name) ?? null) === after) remember[name] = before
  const changesBackup = changes.git?.changesBackup ?? null
  return {
    summary: `Undid: ${summary.replace(/ \(before: \S+\)$/, '')}`,
    changes: planned,
    warnings:
      changesBackup === null
        ? []
        : [`Uncommitted changes from then are not included. To restore them: git stash apply ${changesBackup}`],
    ...(git ? { git } : {}),
    ...(Object.keys(remember).length > 0 ? { remember } : {}),
  }
}

async function takeBack(root: string, change: FileChange, summary: string): Promise<FileChange> {
  const { encoding } = change
  const found = await readStateFile(root, change.file)
  const { findings } = found
  const now = encoding === undefined ? found.text : base64Of(found)
  if (now === null && findings.some(({ rule }) => rule !== 'file/unreadable'))
    throw new AppError('INVALID', `Cannot undo: ${change.file} cannot be read.`)
  const back = takenBack(change, now)
  if (!back)
    throw new AppError('CONFLICT', `Cannot undo “${summary}”: ${change.file} has since changed in the same places.`, {
      hint: 'The run’s journal shows what changed. Edit the file by hand instead.',
    })
  return { file: change.file, before: now, after: back.after, encoding }
}

const base64Of = ({ text, bytes }: StateFile): string | null =>
  bytes ?? (text === null ? null : Buffer.from(text).toString('base64'))

/** @throws AppError CONFLICT with the command where Bridgedeck does not do it itself */
function restoringStep(summary: string, { git, files, remembered }: EditChanges): GitStep | undefined {
  if (git && git.before !== git.head)
    return { kind: 'restore', backup: git.backup, commit: git.before, head: git.head, within: git.within }
  if (files.length + remembered.length > 0) return undefined
  const hint = git?.changesBackup
    ? `To restore the changes: git stash apply ${git.changesBackup}`
    : 'The previous state is kept under refs/bridgedeck/backup.'
  throw new AppError('CONFLICT', `Cannot undo “${summary}”: it moved no branch.`, {
    hint,
  })
}
