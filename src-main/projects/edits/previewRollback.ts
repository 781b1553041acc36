import { parsePatch, type StructuredPatch, type StructuredPatchHunk } from 'diff'
import { MAX_PREVIEW_LINES, type Hunk, type Preview } from '@shared/contract/edits'
import { listNames } from '@shared/listNames'
import type { CommitInfo } from '../../git/commits'
import type { RollbackPlan } from '../../git/rollback'
import { cutToLines } from './previewEdit'

const MAX_NAMED_COMMITS = 12

export function withRollback(preview: Preview, rollback: RollbackPlan): Preview {
  const { commits, undone, gone, returned, branch, lost, obstacles } = rollback
  const lines = [
    preview.git ?? '',
    ...named('Commits to undo, newest first:', commits, undone),
    ...named('Commits to restore, newest first:', returned),
    ...named('Commits of the branch, newest first:', branch),
    ...(lost.length > 0 ? [`Removes: ${listNames(lost)}.`] : []),
    ...(commits.length > 0 && undone.length === commits.length ? ['Already undone: git has nothing to do.'] : []),
    ...(gone.length > 0 ? [`On no branch any more, nothing to undo: ${listNames(gone.map(short))}.`] : []),
    ...(obstacles.length > 0
      ? obstacles.map((obstacle) => `Cannot do this now: ${obstacle}`)
      : ['The present state is kept under refs/bridgedeck/backup.']),
  ]
  const { files, more } = changedFiles(rollback)
  return {
    ...preview,
    git: lines
      .map((line) => line.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' '))
      .join('\n')
      .slice(0, 2000),
    isPossible: obstacles.length === 0,
    files: [...files, ...preview.files].slice(0, 200),
    more: preview.more + more + Math.max(0, files.length + preview.files.length - 200),
  }
}

const short = (commit: string): string => commit.slice(0, 10)

function named(title: string, commits: readonly CommitInfo[], undone: readonly string[] = []): string[] {
  if (commits.length === 0) return []
  const listed = commits
    .slice(0, MAX_NAMED_COMMITS)
    .map(
      ({ commit, subject, time }) =>
        `${short(commit)} ${new Date(time).toISOString().slice(0, 16)} ${subject}${undone.includes(commit) ? ' (already undone)' : ''}`,
    )
  return [
    title,
    ...listed,
    ...(commits.length > MAX_NAMED_COMMITS ? [`and ${commits.length - MAX_NAMED_COMMITS} more`] : []),
  ]
}

function changedFiles({ files, diff, isCut }: RollbackPlan): Pick<Preview, 'files' | 'more'> {
  const patches = new Map(patchesOf(diff, isCut).map((patch) => [nameOf(patch), patch]))
  let left = MAX_PREVIEW_LINES
  let more = 0
  const shown = files.slice(0, 200).map(({ path, added, deleted }): Preview['files'][number] => {
    const patch = patches.get(path)
    const { hunks, ...cutHunks } = cutToLines((patch?.hunks ?? []).map(hunkOf), left)
    left -= cutHunks.lines
    more += cutHunks.more
    const kind =
      patch?.oldFileName === '/dev/null' ? 'created' : patch?.newFileName === '/dev/null' ? 'deleted' : 'changed'
    return {
      file: path.slice(0, 1000),
      kind,
      from: null,
      bytes: null,
      added: added ?? 0,
      removed: deleted ?? 0,
      isTooLarge: false,
      hunks,
    }
  })
  return { files: shown, more: more + Math.max(0, files.length - 200) }
}

const hunkOf = ({ oldStart, oldLines, newStart, newLines, lines }: StructuredPatchHunk): Hunk => ({
  // Of no lines, the parser counts one too many.
  before: oldLines === 0 ? oldStart - 1 : oldStart,
  beforeLines: oldLines,
  after: newLines === 0 ? newStart - 1 : newStart,
  afterLines: newLines,
  lines,
})

function patchesOf(diff: string, isCut: boolean): StructuredPatch[] {
  const end = isCut ? Math.max(0, diff.lastIndexOf('\ndiff --git ') + 1) : diff.length
  try {
    return parsePatch(diff.slice(0, end))
  } catch {
    return []
  }
}

const nameOf = ({ oldFileName, newFileName }: StructuredPatch): string =>
  ((newFileName === '/dev/null' ? oldFileName : newFileName) ?? '').replace(/^[ab]\//, '')
