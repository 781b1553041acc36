import type { GitStep } from '@shared/gitStep'
import { field, itemsOf } from '../../text/located'
import { ownPlaces } from '../detect'
import type { TaskNode } from '../state'
import type { SessionDraft } from './sessionDraft'
import { statusOf, type SessionRun } from './sessionRun'

export function revert({ files }: SessionRun, commits: readonly string[]): { readonly git?: GitStep } {
  return commits.length === 0 ? {} : { git: { kind: 'revert', commits, kept: ownPlaces(files) } }
}

export function setBack(draft: SessionDraft, tasks: readonly TaskNode[]): void {
  for (const task of tasks) {
    const list = field(task.node, 'commits')
    if (statusOf(task) !== 'pending') draft.setTask(task, 'pending')
    if (list && itemsOf(list).length > 0) draft.set(task.document, list, [])
  }
}

export function resume(run: SessionRun, draft: SessionDraft, text: string, tasks: readonly TaskNode[]): void {
  if (run.status === 'verifying') draft.setStatus('executing')
  const hasFailure = run.tasks.some((task) => statusOf(task) === 'failed' && !tasks.includes(task))
  if (run.status !== 'halted' || hasFailure || run.need?.kind === 'question') return
  draft.setVariable('halt_reason', 'rolled_back')
  draft.setVariable('last_error', text)
}
