import { AppError } from '@shared/contract/errors'
import { describeIssues } from '@shared/contract/describeIssues'
import type { ActionPlan } from '../../edit/action'
import { Draft } from '../../edit/draft'
import { Values } from '../../edit/offer'
import type { RunFiles } from '../../format'
import { field, itemsOf, numberOf } from '../../text/located'
import { applyChange, changesOf, fixNode } from '../fix'
import { actionNames, openFixes } from '../progress'
import { diagnosisAreas, initialStateSchema, startedStateSchema } from '../schema'
import { openState } from '../state'
import { analysisQuestion } from '../ask/analysisQuestion'
import { fixQuestion } from '../ask/fixQuestion'
import { placeQuestion } from '../ask/placeQuestion'
import type { Question } from '../ask/question'
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

export interface Step {
  readonly name: StepName
  readonly target: string
}

interface StepRow {
  readonly question?: (run: TuningRun, target: string) => Question
  readonly action: string | ((run: TuningRun) => string)
  readonly label: string | ((target: string) => string)
  readonly plan?: (run: TuningRun, values: Values, target: string) => ActionPlan
}

const steps = {
  diagnose: {
    action: (run) => `action-diagnose-${openAreas(run)[0] ?? diagnosisAreas[0]}`,
    label: 'Diagnosing the skill',
    plan: (run, values) => planDiagnosis(run, openAreas(run), values),
  },
  report: { action: actionNames.report, label: 'Writing the report', plan: planReport },
  analyse: { action: actionNames.analyse, label: 'Analysing the skill', question: analysisQuestion },
  'propose-fixes': { action: actionNames.propose, label: 'Proposing fixes', plan: planProposals },
  'ask-fix': {
    action: actionNames.propose,
    label: (target) => `Asking for a fix of ${target}`,
    question: fixQuestion,
  },
  'place-fix': {
    action: actionNames.propose,
    label: (target) => `Asking for the place of ${target}`,
    question: placeQuestion,
  },
  'select-fixes': {
    action: actionNames.select,
    label: 'Choosing fixes',
    plan: (run, values) => planSelection(run, safeFixes(run), values),
  },
  'apply-fix': {
    action: actionNames.apply,
    label: (target) => `Applying ${target}`,
    plan: (run, values, target) => planFix(run, target, requireFound(fixNode(run.state, target), target), values),
  },
  'verify-fix': {
    action: actionNames.verify,
    label: (target) => `Verifying ${target}`,
    plan: (run, values, target) => {
      const applied = latestApplied(run).find(({ id }) => id === target)
      return planVerify(run, target, requireFound(applied, target), values)
    },
  },
  continue: { action: 'action-next-iteration', label: 'Starting another iteration', plan: planIteration },
  complete: { action: actionNames.complete, label: 'Completing the run', plan: planCompletion },
  abort: { action: actionNames.abort, label: 'Aborting the run', plan: planAbort },
  resume: { action: 'action-resume', label: 'Resuming the run', plan: planResume },
} as const satisfies Record<string, StepRow>

type StepName = keyof typeof steps

const rowOf = ({ name }: Step): StepRow => steps[name]

export function stepLabel(step: Step): string {
  const { label } = rowOf(step)
  return typeof label === 'string' ? label : label(step.target)
}

function nameInState(run: TuningRun, step: Step): string {
  const { action } = rowOf(step)
  return typeof action === 'string' ? action : action(run)
}

interface Times {
  readonly now: number
  readonly startedAt: number
}

export const isAsked = (step: Step): boolean => rowOf(step).question !== undefined

export const questionOf = (files: RunFiles, step: Step): Question | undefined =>
  rowOf(step).question?.(openRun(files), step.target)

/**
 * @param answer of an agent, to {@link questionOf}
 * @throws AppError when it does not fit the files, or the state would break the specification
 */
export function planStep(files: RunFiles, step: Step, { now, startedAt }: Times, answer?: object): ActionPlan {
  const run = openRun(files, new Date(startedAt).toISOString())
  const { plan: planned, question } = rowOf(step)
  const values = new Values({}, now)
  const plan = answer ? question?.(run, step.target).accept(run, answer, values) : planned?.(run, values, step.target)
  if (!plan) throw new AppError('INTERNAL', `${step.name} has no plan.`)
  requireSound(run, plan)
  return plan
}

const openRun = (files: RunFiles, actionStartedAt?: string): TuningRun => {
  const state = openState(files)
  return { files, state, status: state.details.status.value ?? undefined, need: undefined, actionStartedAt }
}

function requireFound<Found>(found: Found | undefined, id: string): Found {
  if (found !== undefined) return found
  throw new AppError('NOT_FOUND', `${id} is not among the proposed fixes.`, { hint: 'Choose the fixes again.' })
}

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

export function planBegin(files: RunFiles, step: Step, now: number): ActionPlan {
  const run = openRun(files)
  const draft = new StateDraft(run, new Values({}, now))
  draft.set(['current_action'], nameInState(run, step))
  return draft.finish('')
}

export const planEnd = (files: RunFiles, now: number): ActionPlan => {
  const draft = new StateDraft(openRun(files), new Values({}, now))
  draft.set(['current_action'], null)
  return draft.finish('')
}

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
