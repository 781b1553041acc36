/** A plan as the person sees it before it is written. */
import { cut } from '@shared/contract/bounded'
import { createHash } from 'node:crypto'
import { structuredPatch } from 'diff'
import { MAX_PREVIEW_LINES, MAX_PREVIEW_LINE_CHARACTERS, type Preview, type WriteResult } from '@shared/contract/edits'
import type { GitStep } from '@shared/gitStep'
import type { ActionPlan, FileChange } from '../../formats/edit/action'
import { differences } from '../journal/observe'
import { readStateFile } from '../read/readStateFile'
import { basesOf, signatureOf } from './fieldChanges'
import { describeHolder } from '../lockHolder'

const CONTEXT_LINES = 3

/** Stands for what a plan changes and for what it was made on. */
export const tokenOf = (plan: ActionPlan): string =>
  createHash('sha256').update(signatureOf(plan)).update(basesOf(plan)).digest('hex')

export function previewOf(plan: ActionPlan): Preview {
  let left = MAX_PREVIEW_LINES
  let more = 0
  const changes = plan.changes.filter(({ before, after }) => before !== after)
  const files = changes.slice(0, 200).map((change) => {
    const shown = describeChange(change, left)
    left -= shown.lines
    more += shown.more
    return shown.file
  })
  return {
    summary: cut(plan.summary),
    warnings: [...plan.warnings, ...(plan.holder ? [describeHolder(plan.holder)] : [])]
      .slice(0, 50)
      .map((warning) => cut(warning, 2000)),
    files,
    more: more + Math.max(0, changes.length - files.length),
    remembered: Object.keys(plan.remember ?? {}).length,
    git: plan.git ? cut(gitText(plan.git), 2000) : null,
    isPossible: true,
    token: tokenOf(plan),
  }
}

function describeChange({ file, before, after }: FileChange, left: number) {
  const { hunks } = structuredPatch(file, file, before ?? '', after ?? '', undefined, undefined, {
    context: CONTEXT_LINES,
  })
  let room = left
  let more = 0
  const shown: Preview['files'][number]['hunks'] = []
  for (const { oldStart, newStart, lines } of hunks) {
    const taken = lines.slice(0, room)
    room -= taken.length
    more += lines.length - taken.length
    if (taken.length > 0)
      shown.push({
        before: oldStart,
        after: newStart,
        lines: taken.map((line) => cut(line, MAX_PREVIEW_LINE_CHARACTERS)),
      })
  }
  const counted = (sign: string) =>
    hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(sign)).length, 0)
  const kind = before === null ? ('created' as const) : after === null ? ('deleted' as const) : ('changed' as const)
  return {
    file: { file: cut(file, 1000), kind, added: counted('+'), removed: counted('-'), hunks: shown },
    lines: left - room,
    more,
  }
}

function gitText(step: GitStep): string {
  switch (step.kind) {
    case 'revert':
      return `git revert ${step.commits.join(' ')}`
    case 'reset':
      return `git reset --hard ${step.commit}`
    case 'discard':
      return 'Uncommitted changes are moved to a backup ref.'
    case 'restore':
      return `git reset --keep ${step.backup}`
  }
}

/** What others changed in the files of a plan since it was made. */
export async function changesSince(
  root: string,
  { changes }: ActionPlan,
): Promise<Extract<WriteResult, { outcome: 'conflict' }>['changed']> {
  const changed = []
  for (const { file, before } of changes) {
    const now = await readStateFile(root, file)
    if (now.text === before) continue
    for (const change of differences({ ...now, text: before, findings: [] }, now))
      changed.push({ file: file.slice(0, 1000), ...change })
  }
  return changed.slice(0, 500)
}
