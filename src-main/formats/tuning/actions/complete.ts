import { listNames } from '@shared/listNames'
import type { ActionPlan } from '../../edit/action'
import type { Values } from '../../edit/offer'
import { within } from '../../listing'
import { field, numberOf } from '../../text/located'
import { actionNames, unverifiedFixes } from '../progress'
import { severities } from '../scores'
import { completeActions } from './completeAction'
import { outputOf } from './diagnose'
import { factLine, oneLine } from './printedFacts'
import { StateDraft, type TuningRun } from './tuningRun'

const SUMMARY = 'tuning-summary.md'

export function planCompletion(run: TuningRun, values: Values): ActionPlan {
  const draft = new StateDraft(run, values)
  draft.set(['status'], 'completed')
  draft.write(within(run.files.candidate.marker, SUMMARY), printSummary(run, values))
  completeActions(run, draft, values, [{ action: actionNames.complete, outputs: [outputOf(run, SUMMARY)] }])
  const unverified = unverifiedFixes(run.state).flatMap(({ id }) => id.value ?? [])
  return draft.finish('Ended the run', unverified.length === 0 ? [] : [unverifiedText(unverified)])
}

export const unverifiedText = (ids: readonly string[]): string =>
  `Applied, but not verified: ${listNames(ids)}. No scan can tell whether ${ids.length === 1 ? 'it' : 'they'} helped.`

function printSummary({ state: { root, details } }: TuningRun, { time }: Values): string {
  const { skill, problem, score, issuesBySeverity, fixes, issues } = details
  const applied = fixes.flatMap(({ id, description, applied: [...entries] }) => {
    const last = entries.at(-1)
    return last ? [`- ${id.value ?? ''}: ${oneLine(description.value ?? '')} (${last.verification.value ?? ''})`] : []
  })
  const open = issues.map(
    ({ id, severity, confidence, description }) =>
      `- ${id.value ?? ''} (${severity.value ?? ''}${confidence.value === 'low' ? ', low confidence' : ''}): ${oneLine(description.value ?? '')}`,
  )
  return [
    '# Tuning summary',
    '',
    ...factLine('Skill', skill.name.value),
    ...factLine('Problem', problem.value),
    ...factLine('Completed', time),
    ...factLine('Iterations', numberOf(field(root, 'iteration_count'))),
    ...factLine('Score', score.recorded.value),
    ...factLine('Gate', score.gate.value),
    ...severities.map((severity) => `- Open ${severity} issues: ${issuesBySeverity.decisive[severity]}`),
    '',
    '## Applied fixes',
    '',
    ...(applied.length === 0 ? ['None.'] : applied),
    '',
    '## Open issues',
    '',
    ...(open.length === 0 ? ['None.'] : open),
    '',
  ].join('\n')
}
