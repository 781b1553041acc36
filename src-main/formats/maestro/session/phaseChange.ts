import { AppError } from '@shared/contract/errors'
import type { ActionPlan } from '../../edit/action'
import type { Values } from '../../edit/offer'
import { field, isNull, itemsOf, textOf } from '../../text/located'
import { pathTo } from '../../text/splice'
import { SessionDraft, type MaestroRun, type SessionPhase } from '../actions/maestroRun'
import { contextFields, type ErrorType, type PhaseStatus } from '../schema'
import { logPhase, type PhaseLog } from './sessionLog'
import { fileKinds, type DownstreamContext, type PhaseFiles } from './taskReport'

export interface PhaseChange {
  readonly phase: string
  readonly status?: PhaseStatus | undefined
  readonly files?: Partial<PhaseFiles> | undefined
  readonly context?: DownstreamContext | undefined
  readonly errors?: readonly PhaseError[] | undefined
  readonly resolution?: string | undefined
  readonly log?: Omit<PhaseLog, 'status' | 'files' | 'context'> | undefined
}

export interface PhaseError {
  readonly agent: string
  readonly type: ErrorType
  readonly message: string
  readonly resolution?: string
}

/** Null: unknown, which is not 0. */
export interface TokenUse {
  readonly agent: string
  readonly input: number | null
  readonly output: number | null
  readonly cached: number | null
}

/** Skipping is left to the person. */
const transitions: Readonly<Record<PhaseStatus, readonly PhaseStatus[]>> = {
  pending: ['in_progress', 'skipped'],
  in_progress: ['completed', 'failed'],
  failed: ['in_progress'],
  completed: [],
  skipped: [],
}

const isStatus = (word: string): word is PhaseStatus => Object.hasOwn(transitions, word)

/** @throws AppError NOT_FOUND for an unknown phase, CONFLICT for an illegal transition */
export function planChanges(
  run: MaestroRun,
  changes: readonly PhaseChange[],
  tokens: readonly TokenUse[],
  values: Values,
): ActionPlan {
  const draft = new SessionDraft(run, values)
  for (const change of changes) changePhase(draft, run, change, values.time)
  addTokens(draft, run, tokens)
  return draft.finish(summaryOf(run, changes))
}

function summaryOf(run: MaestroRun, changes: readonly PhaseChange[]): string {
  const [first] = changes
  if (!first) return 'Updated the session'
  const others = changes.length === 1 ? '' : ` and ${changes.length - 1} more`
  return `${first.status === undefined ? 'Updated' : `Set to ${first.status}:`} phase “${phaseOf(run, first.phase).title}”${others}`
}

function phaseOf({ phases }: MaestroRun, key: string): SessionPhase {
  const phase = phases.find(({ details }) => details.key === key)
  if (phase) return phase
  throw new AppError('NOT_FOUND', `The session has no phase ${key}.`, {
    hint: `Its phases are ${phases.map(({ details }) => details.key).join(', ')}.`,
  })
}

function changePhase(draft: SessionDraft, run: MaestroRun, change: PhaseChange, time: string): void {
  const phase = phaseOf(run, change.phase)
  const { node, details } = phase
  if (change.status !== undefined) setStatus(draft, phase, change.status, time)
  if (change.status === 'in_progress') {
    requireUnblocked(run, phase)
    const id = field(node, 'id')
    if (id?.kind === 'scalar') draft.setTop('current_phase', id.value)
  }
  for (const kind of fileKinds) {
    const before = details.files[kind].flatMap(({ value }) => value ?? [])
    const after = [...new Set([...before, ...(change.files?.[kind] ?? [])])]
    if (after.length > before.length) draft.set(node, `files_${kind}`, after)
  }
  if (change.context) setContext(draft, phase, change.context)
  if (change.resolution !== undefined)
    for (const error of phase.errors.filter(({ open }) => open)) draft.resolve(error, change.resolution)
  addErrors(draft, run, phase, change.errors ?? [], time)
  if (change.status !== undefined || change.log)
    logPhase(
      draft,
      run.session.file,
      { id: details.id.value ?? details.key, title: phase.title },
      {
        ...change.log,
        status: change.status ?? phase.status ?? 'pending',
        files: change.files,
        context: change.context,
      },
    )
}

function setStatus(draft: SessionDraft, phase: SessionPhase, status: PhaseStatus, time: string): void {
  const { node, details, title } = phase
  const from = phase.status ?? ''
  if (!isStatus(from) || !transitions[from].includes(status))
    throw new AppError('CONFLICT', `Phase “${title}” cannot go from ${from === '' ? 'unknown' : from} to ${status}.`, {
      hint: `From here it can go to: ${(isStatus(from) && transitions[from].join(', ')) || 'nothing'}.`,
    })
  draft.set(node, 'status', status)
  if (status === 'in_progress') {
    draft.set(node, 'started', time)
    const completed = field(node, 'completed')
    if (completed && !isNull(completed)) draft.set(node, 'completed', null)
    if (from === 'failed') draft.set(node, 'retry_count', (details.retries.value ?? 0) + 1)
  }
  if (status === 'completed') draft.set(node, 'completed', time)
}

function requireUnblocked({ phases }: MaestroRun, { details, title }: SessionPhase): void {
  const blocker = details.blockedBy.find(({ value }) => {
    const other = phases.find((each) => each.details.key === value)
    return other?.status !== 'completed' && other?.status !== 'skipped'
  })
  if (blocker)
    throw new AppError(
      'CONFLICT',
      `Phase “${title}” is blocked by phase ${blocker.value ?? '?'}, which is not completed.`,
    )
}

function setContext(draft: SessionDraft, { node }: SessionPhase, context: DownstreamContext): void {
  const there = field(node, 'downstream_context')
  for (const name of contextFields) {
    const before = itemsOf(field(there, name)).flatMap((item) => textOf(item) ?? [])
    const after = [...new Set([...before, ...context[name]])]
    if (after.length === before.length) continue
    if (there?.kind === 'map') draft.set(there, name, after)
    else draft.setIn(node, ['downstream_context', name], after)
  }
}

function addErrors(
  draft: SessionDraft,
  { session }: MaestroRun,
  { node }: SessionPhase,
  errors: readonly PhaseError[],
  time: string,
): void {
  const count = itemsOf(field(node, 'errors')).length
  for (const [index, { agent, type, message, resolution }] of errors.entries())
    draft.front(session.file, [...pathTo(session.document, node), 'errors', count + index], {
      agent,
      timestamp: time,
      type,
      message,
      resolution: resolution ?? 'pending',
      resolved: resolution !== undefined,
    })
}

const counts = ['input', 'output', 'cached'] as const

function addTokens(draft: SessionDraft, { session, state }: MaestroRun, uses: readonly TokenUse[]): void {
  const known = state.details.session?.tokens
  if (!known) return
  const sum = (list: readonly TokenUse[], name: (typeof counts)[number]) =>
    list.reduce<number | null>((total, { [name]: count }) => (count === null ? total : (total ?? 0) + count), null)
  for (const name of counts) {
    const added = sum(uses, name) ?? 0
    if (added > 0) draft.front(session.file, ['token_usage', `total_${name}`], (known[name].value ?? 0) + added)
  }
  for (const agent of new Set(uses.map((use) => use.agent))) {
    const own = uses.filter((use) => use.agent === agent)
    const before = known.byAgent.find((each) => each.agent === agent)
    const after = counts.flatMap((name) => {
      const added = sum(own, name)
      return added === null ? [] : [[name, (before?.[name].value ?? 0) + added] as const]
    })
    if (after.every(([, total]) => total === 0)) continue
    if (before)
      for (const [name, total] of after) draft.front(session.file, ['token_usage', 'by_agent', agent, name], total)
    else if (after.length === counts.length)
      draft.front(session.file, ['token_usage', 'by_agent', agent], Object.fromEntries(after))
  }
}
