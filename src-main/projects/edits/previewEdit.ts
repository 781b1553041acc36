import { cut } from '@shared/contract/bounded'
import { createHash } from 'node:crypto'
import { MAX_PREVIEW_LINES, MAX_PREVIEW_LINE_CHARACTERS, type Preview, type WriteResult } from '@shared/contract/edits'
import type { GitStep } from '@shared/gitStep'
import { listNames } from '@shared/listNames'
import type { ActionPlan, FileChange } from '../../formats/edit/action'
import { differences } from '../journal/observe'
import { diffTexts, type Hunk } from '../lineDiff'
import { readStateFile } from '../read/readStateFile'
import { basesOf, signatureOf } from './fieldChanges'
import { describeHolder } from '../lockHolder'

export const tokenOf = (plan: ActionPlan): string =>
  createHash('sha256').update(signatureOf(plan)).update(basesOf(plan)).digest('hex')

export function previewOf(plan: ActionPlan): Preview {
  let left = MAX_PREVIEW_LINES
  let more = 0
  const moved = new Set(plan.changes.flatMap(({ from }) => from ?? []))
  const changes = plan.changes.filter(({ file, before, after }) => before !== after && !moved.has(file))
  const files = changes.slice(0, 200).map((change) => {
    const source = plan.changes.find(({ file }) => file === change.from)
    const shown = describeChange({ ...change, before: source?.before ?? change.before }, left)
    left -= shown.lines
    more += shown.more
    return shown.file
  })
  return {
    summary: cut(plan.summary),
    warnings: [...(plan.notes ?? []), ...plan.warnings, ...(plan.holder ? [describeHolder(plan.holder)] : [])]
      .slice(0, 50)
      .map((warning) => cut(warning, 2000)),
    files,
    more: more + Math.max(0, changes.length - files.length),
    remembered: Object.keys(plan.remember ?? {}).length,
    git: plan.git ? cut(`${gitText(plan.git)}${plan.git.within ? `, on ${plan.git.within.branch}` : ''}`, 2000) : null,
    isPossible: true,
    token: tokenOf(plan),
  }
}

function describeChange({ file, before, after, encoding, from }: FileChange, left: number) {
  const isText = encoding === undefined
  const { hunks, added, removed, isFine } = diffTexts((isText && before) || '', (isText && after) || '')
  const cutHunks = cutToLines(hunks, left)
  const kind = from !== undefined ? 'moved' : before === null ? 'created' : after === null ? 'deleted' : 'changed'
  const described: Preview['files'][number] = {
    file: cut(file, 1000),
    kind,
    from: from === undefined ? null : cut(from, 1000),
    bytes: isText ? null : Buffer.byteLength(after ?? before ?? '', encoding),
    added,
    removed,
    isTooLarge: !isFine,
    hunks: cutHunks.hunks,
  }
  return { file: described, lines: cutHunks.lines, more: cutHunks.more }
}

export function cutToLines(hunks: readonly Hunk[], most: number) {
  const shown: Preview['files'][number]['hunks'] = []
  let [room, more] = [most, 0]
  for (const hunk of hunks) {
    const taken = hunk.lines.slice(0, room)
    room -= taken.length
    more += hunk.lines.length - taken.length
    if (taken.length > 0) shown.push({ ...hunk, lines: taken.map((line) => cut(line, MAX_PREVIEW_LINE_CHARACTERS)) })
  }
  return { hunks: shown, lines: most - room, more }
}

function gitText(step: GitStep): string {
  switch (step.kind) {
    case 'revert':
      return `git revert ${step.commits.join(' ')}`
    case 'reset':
      return `git reset --hard ${step.commit}`
    case 'discard':
      return 'Uncommitted changes are moved to a backup ref.'
    case 'commit':
      return `git commit -m ${JSON.stringify(step.message)}, with ${step.files === 'all' ? 'all changes' : listNames(step.files)}`
    case 'stash':
      return `git stash push -m ${JSON.stringify(step.message)}, with ${listNames(step.files)}`
    case 'restore':
      return `git reset --keep ${step.backup}`
    case 'merge':
      return `git merge ${step.worktree.branch}${intoText(step)}`
    case 'throw-away':
      return `git worktree remove and git branch -D ${step.worktree.branch}`
  }
}

/** The person may have checked out another branch than the run began on. */
function intoText({ into, worktree }: Extract<GitStep, { kind: 'merge' }>): string {
  if (into === undefined || into === null) return ''
  if (into === worktree.into) return `, into ${into}`
  const began = worktree.into === null ? 'no branch was checked out' : `${worktree.into} was checked out`
  return `, into ${into}, which is checked out now. When the run began, ${began}`
}

export async function changesSince(
  root: string,
  { changes }: ActionPlan,
): Promise<Extract<WriteResult, { outcome: 'conflict' }>['changed']> {
  const changed = []
  for (const { file, before, encoding } of changes) {
    if (encoding !== undefined) continue
    const now = await readStateFile(root, file)
    if (now.text === before) continue
    for (const change of differences({ ...now, text: before, findings: [] }, now))
      changed.push({ file: file.slice(0, 1000), ...change })
  }
  return changed.slice(0, 500)
}
