import type { ActionPlan } from '../../edit/action'
import type { Values } from '../../edit/offer'
import { within } from '../../listing'
import { compositeOf } from '../compositeOf'
import type { Issue, StateDetails } from '../details'
import { actionNames, roundsBefore } from '../progress'
import { rememberFound } from '../rounds'
import { tuningReport, type Reported, type ReportedIssue } from '../scan/report'
import { diagnosisAreas } from '../schema'
import { healthScore, severities, type Severity } from '../scores'
import { isDecisive } from '../state'
import { completeActions } from './completeAction'
import { outputOf } from './diagnose'
import { countIssues } from './issues'
import { StateDraft, type TuningRun } from './tuningRun'

const REPORT = 'tuning-report.md'

export function planReport(run: TuningRun, values: Values): ActionPlan {
  const { files, state } = run
  const { details } = state
  const draft = new StateDraft(run, values)
  const counts = countIssues(
    draft,
    details.issues.map(({ severity, confidence }) => ({ severity: severity.value, confidence: confidence.value })),
  )
  const done = details.diagnoses.filter((one) => one.state === 'done').length
  const report = tuningReport({
    skill: details.skill.name.value ?? details.skill.path.value ?? '',
    problem: details.problem.value ?? '',
    ...healthScore(counts),
    composite: compositeOf(counts, done, state),
    issuesBySeverity: counts,
    diagnosis: diagnosisOf(details),
    issues: details.issues.map(issueOf).sort((one, other) => rank(one) - rank(other)),
  })
  draft.write(within(files.candidate.marker, REPORT), report)
  completeActions(run, draft, values, [{ action: actionNames.report, outputs: [outputOf(run, REPORT)] }])
  return draft.finish(
    'Reported on the issues',
    [],
    rememberFound(files.remembered, roundsBefore(state), healthScore(counts)),
  )
}

const diagnosisOf = ({ diagnoses }: StateDetails): Reported['diagnosis'] =>
  Object.fromEntries(
    diagnoses.flatMap(({ area, state, severity, issuesFound, patternsMatched }) =>
      state === 'done' && diagnosisAreas.some((known) => known === area)
        ? [
            [
              area,
              {
                severity: known(severity.value) ?? 'none',
                issues_found: issuesFound.value ?? 0,
                details: { patterns_matched: patternsMatched.flatMap(({ value }) => value ?? []) },
              },
            ],
          ]
        : [],
    ),
  )

const known = (word: string | null): Severity | undefined => severities.find((severity) => severity === word)
const rank = ({ severity }: ReportedIssue): number => severities.indexOf(severity)

const issueOf = (issue: Issue): ReportedIssue => ({
  id: issue.id.value ?? '',
  severity: known(issue.severity.value) ?? 'low',
  ...(isDecisive(issue) ? {} : { confidence: 'low' as const }),
  location: { file: issue.files[0]?.value ?? '' },
  description: issue.description.value ?? issue.type.value ?? '',
  evidence: issue.evidence.flatMap(({ value }) => value ?? []),
  root_cause: issue.rootCause.value ?? '',
  impact: issue.impact.value ?? '',
  suggested_fix: issue.suggestedFix.value ?? '',
})
