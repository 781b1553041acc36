/** The steps of Bridgedeck's own loop, each as a plan on the run's files. */
import { AppError } from '@shared/contract/errors'
import { describeIssues } from '@shared/contract/describeIssues'
import type { ActionPlan } from '../../edit/action'
import { Draft } from '../../edit/draft'
import { Values } from '../../edit/offer'
import type { RunFiles } from '../../format'
import { field, itemsOf, numberOf, textOf } from '../../text/located'
import { applyChange, changesOf, fixNode } from '../fix'
import { actionNames, openFixes } from '../progress'
import { diagnosisAreas, initialStateSchema, startedStateSchema } from '../schema'
import { openState } from '../state'
import { planAbort } from './abort'
import { planFix } from './applyFix'
import { planCompletion } from './complete'
import { planIteration } from './continue'
import { openAreas, planDiagnosis } from './diagnose'
import { planProposals } from './proposeForRun'
import { planReport } from './report'
import { planResume } from './resume'
import { planSelection } from './selectFixes'
import { attempt, idsOf, latestApplied, StateDraft, type TuningRun } from './tuningRun'
import { planVerify } from './verifyFix'

type StepName =
  | 'abort'
  | 'apply-fix'
  | 'complete'
  | 'continue'
  | 'diagnose'
  | 'propose-fixes'
  | 'report'
  | 'resume'
  | 'select-fixes'
  | 'verify-fix'

/** @param target the id of the fix that it is about, or empty */
export interface Step {
  readonly name: StepName
  readonly target: string
}

/** ms since 1970 */
interface Times {
  readonly now: number
  readonly startedAt: number
}

/** @throws AppError when it does not fit the files, or the state would break the specification afterwards */
export function planStep(files: RunFiles, step: Step, { now, startedAt }: Times): ActionPlan {
  const run = openRun(files, new Date(startedAt).toISOString())
  const plan = planOf(run, step, new Values({}, now))
  requireSound(run, plan)
  return plan
}

function planOf(run: TuningRun, { name, target }: Step, values: Values): ActionPlan {
  switch (name) {
    case 'abort':
      return planAbort(run, values)
    case 'complete':
      return planCompletion(run, values)
    case 'diagnose':
      return planDiagnosis(run, openAreas(run), values)
    case 'report':
      return planReport(run, values)
    case 'propose-fixes':
      return planProposals(run, values)
    case 'select-fixes':
      return planSelection(run, safeFixes(run), values)
    case 'apply-fix':
      return planFix(run, target, requireFound(fixNode(run.state, target), target), values)
    case 'verify-fix':
      return planVerify(
        run,
        target,
        requireFound(
          latestApplied(run).find(({ id }) => id === target),
          target,
        ),
        values,
      )
    case 'continue':
      return planIteration(run, values)
    case 'resume':
      return planResume(run, values)
  }
}

const openRun = (files: RunFiles, actionStartedAt?: string): TuningRun => {
  const state = openState(files)
  return { files, state, status: textOf(field(state.root, 'status')), need: undefined, actionStartedAt }
}

function requireFound<Found>(found: Found | undefined, id: string): Found {
  if (found !== undefined) return found
  throw new AppError('NOT_FOUND', `${id} is not among the proposed fixes.`, { hint: 'Choose the fixes again.' })
}

/** Those that nobody has to look at first: of no high risk, and each fits the skill as it is. */
function safeFixes({ files, state }: TuningRun): string[] {
  return openFixes(state).flatMap(({ id, risk }) => {
    const node = id.value === null ? undefined : fixNode(state, id.value)
    if (id.value === null || !node || (risk.value !== 'low' && risk.value !== 'medium')) return []
    return attempt(() => {
      const skill = new Draft(files)
      const changes = changesOf(files, state, node)
      for (const change of changes) applyChange(skill, change)
      return changes.length > 0
    })
      ? [id.value]
      : []
  })
}

/** The action’s name in the state while it is carried out. */
export function planBegin(files: RunFiles, step: Step, now: number): ActionPlan {
  const run = openRun(files)
  const draft = new StateDraft(run, new Values({}, now))
  draft.set(['current_action'], nameInState(run, step))
  return draft.finish('')
}

/** For a step that changed nothing. */
export const planEnd = (files: RunFiles, now: number): ActionPlan => {
  const draft = new StateDraft(openRun(files), new Values({}, now))
  draft.set(['current_action'], null)
  return draft.finish('')
}

/** What a step that failed leaves in the state; a fix that does not fit is pending no more. */
export function planFailure(
  files: RunFiles,
  step: Step,
  { message, recoverable }: { readonly message: string; readonly recoverable: boolean },
  { now, startedAt }: Times,
): ActionPlan {
  const run = openRun(files, new Date(startedAt).toISOString())
  const { root } = run.state
  const values = new Values({}, now)
  const draft = new StateDraft(run, values)
  const action = nameInState(run, step)
  draft.set(['errors', itemsOf(field(root, 'errors')).length], { action, message, timestamp: values.time, recoverable })
  draft.set(['error_count'], (numberOf(field(root, 'error_count')) ?? 0) + 1)
  draft.set(['action_history', itemsOf(field(root, 'action_history')).length], {
    action,
    started_at: new Date(startedAt).toISOString(),
    completed_at: values.time,
    result: 'failure',
    output_files: [],
  })
  if (step.name === 'apply-fix' && !recoverable)
    draft.set(
      ['pending_fixes'],
      idsOf(field(root, 'pending_fixes')).filter((id) => id !== step.target),
    )
  return draft.finish(message)
}

function nameInState(run: TuningRun, { name }: Step): string {
  switch (name) {
    case 'diagnose':
      return `action-diagnose-${openAreas(run)[0] ?? diagnosisAreas[0]}`
    case 'report':
      return actionNames.report
    case 'propose-fixes':
      return actionNames.propose
    case 'select-fixes':
      return actionNames.select
    case 'apply-fix':
      return actionNames.apply
    case 'verify-fix':
      return actionNames.verify
    case 'abort':
      return actionNames.abort
    case 'complete':
      return actionNames.complete
    case 'continue':
      return 'action-next-iteration'
    case 'resume':
      return 'action-resume'
  }
}

/** A state that keeps to the specification keeps to it afterwards. */
function requireSound({ state }: TuningRun, { changes }: ActionPlan): void {
  const change = changes.find(({ file }) => file === state.file)
  if (!change || problemOf(change.before) !== undefined) return
  const problem = problemOf(change.after)
  if (problem !== undefined)
    throw new AppError('INTERNAL', `Nothing was written: the state would break specification 004: ${problem}.`)
}

function problemOf(text: string | null): string | undefined {
  const value: unknown = text === null ? null : parsed(text)
  const issues = [startedStateSchema, initialStateSchema].map((schema) => schema.safeParse(value).error?.issues)
  return issues.includes(undefined) ? undefined : describeIssues(issues[0] ?? [])
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
