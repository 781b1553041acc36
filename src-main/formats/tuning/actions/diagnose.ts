import { AppError } from '@shared/contract/errors'
import { parseJson, type Json } from '@shared/json'
import type { ActionPlan } from '../../edit/action'
import type { Offer, Values } from '../../edit/offer'
import { within } from '../../listing'
import { field, itemsOf, textOf } from '../../text/located'
import { compositeOf } from '../compositeOf'
import { requireSkillFolder, skillFolder } from '../fix'
import { knownIssues } from '../knownIssues'
import { actionNames, roundsBefore } from '../progress'
import { isOwnDescription, issueKinds, issuesOf, type ScannedIssue } from '../scan/issues'
import { tuningReport } from '../scan/report'
import { scanSkill, type Area, type AreaScan } from '../scan/scan'
import { diagnosisAreas } from '../schema'
import { rememberFound } from '../rounds'
import { healthScore, type SeverityCounts } from '../scores'
import { completeActions } from './completeAction'
import { countedIssue, countIssues, type CountedIssue } from './issues'
import { filesOf, skillTexts } from './skillTexts'
import { placeOf, StateDraft, type TuningRun } from './tuningRun'

export function diagnose(run: TuningRun): Offer[] {
  const { files, state, status } = run
  const areas = openAreas(run)
  const isIdle = status === 'running' && state.details.currentAction.value === null
  if (!isIdle || areas.length === 0 || skillFolder(files, state) === undefined) return []
  return [
    {
      name: 'diagnose',
      target: '',
      title: 'Diagnose the skill',
      effect: `Scans the skill without an agent (${areas.join(', ')}), lists the issues with file and line, and writes the report. The skill does not change.`,
      fields: [],
      source: placeOf(run, field(state.root, 'diagnosis')),
      answersNeed: false,
      plan: (values) => planDiagnosis(run, areas, values),
    },
  ]
}

export const openAreas = ({ state: { details } }: TuningRun): Area[] =>
  diagnosisAreas.filter((area) => details.diagnoses.some((one) => one.area === area && one.state === 'open'))

/** @throws AppError CONFLICT when they cannot be scanned */
export function requireTexts({ files, state }: TuningRun): ReadonlyMap<string, string> {
  const texts = skillTexts(files, requireSkillFolder(files, state))
  if (texts instanceof Map) return texts
  throw new AppError('CONFLICT', `The skill cannot be scanned: ${texts.problem}`, {
    hint: 'Fix or remove the file, then try again.',
  })
}

export function planDiagnosis(run: TuningRun, areas: readonly Area[], values: Values): ActionPlan {
  const { files, state } = run
  const { known, usedIds } = knownIssues(state)
  // The clock is fixed: the plan is made for the preview and again for writing, and both must be equal.
  const scans = scanSkill(filesOf(requireTexts(run)), areas, () => 0)
  const issues = issuesOf(scans, known, usedIds)
  const draft = new StateDraft(run, values)
  const written = scans.map(({ area, diagnosis }) => {
    const file = `diagnosis/${area}-diagnosis.json`
    draft.set(['diagnosis', area], asJson(diagnosis))
    draft.write(within(files.candidate.marker, file), `${JSON.stringify(diagnosis, undefined, 2)}\n`)
    return { action: `action-diagnose-${area}`, outputs: [outputOf(run, file)] }
  })
  const counts = countIssues(draft, mergeIssues(run, draft, issues, areas))
  draft.write(within(files.candidate.marker, 'tuning-report.md'), reportOf(run, scans, issues, counts))
  completeActions(run, draft, values, [
    ...written,
    { action: actionNames.report, outputs: [outputOf(run, 'tuning-report.md')] },
  ])
  return draft.finish(
    `Diagnosed the skill: ${issues.length} issue${issues.length === 1 ? '' : 's'}`,
    [],
    rememberFound(files.remembered, roundsBefore(run.state), healthScore(counts)),
  )
}

export const outputOf = ({ files: { candidate } }: TuningRun, file: string): string =>
  within(candidate.marker, file).slice(candidate.folder === '' ? 0 : candidate.folder.length + 1)

export const asJson = (value: object): Json => parseJson(JSON.stringify(value), 'What was found')

/** Removes issues that are gone. Those of another program that the scanners do not look for stay. */
function mergeIssues(
  { state: { root } }: TuningRun,
  draft: StateDraft,
  issues: readonly ScannedIssue[],
  areas: readonly Area[],
): CountedIssue[] {
  const listed = itemsOf(field(root, 'issues'))
  const byId = new Map(issues.map((issue) => [issue.id, issue]))
  const types = new Set<string>(areas.map((area) => issueKinds[area].type))
  const kept: CountedIssue[] = []
  const gone: number[] = []
  listed.forEach((node, at) => {
    const issue = byId.get(textOf(field(node, 'id')) ?? '')
    const isOurs = isOwnDescription(textOf(field(node, 'description')) ?? '')
    if (issue) draft.set(['issues', at], asJson(issue))
    else if (isOurs && types.has(textOf(field(node, 'type')) ?? '')) gone.push(at)
    else kept.push(countedIssue(node))
  })
  const ids = new Set(listed.map((node) => textOf(field(node, 'id'))))
  const added = issues.filter(({ id }) => !ids.has(id))
  added.forEach((issue, index) => draft.set(['issues', listed.length + index], asJson(issue)))
  for (const at of gone.toReversed()) draft.set(['issues', at], undefined)
  return [...kept, ...issues]
}

function reportOf(
  { state }: TuningRun,
  scans: readonly AreaScan[],
  issues: readonly ScannedIssue[],
  counts: SeverityCounts,
): string {
  const { details } = state
  const done = details.diagnoses.filter((one) => one.state === 'done').length + scans.length
  return tuningReport({
    skill: details.skill.name.value ?? details.skill.path.value ?? '',
    problem: details.problem.value ?? '',
    ...healthScore(counts),
    composite: compositeOf(counts, done, state),
    issuesBySeverity: counts,
    diagnosis: Object.fromEntries(scans.map(({ area, diagnosis }) => [area, diagnosis])),
    issues,
  })
}
