import { Checks, replaceScalar } from '../checks'
import type { Finding } from '../finding'
import { at, field, itemsOf, numberOf, textOf } from '../text/located'
import { actionNames } from './progress'
import { focusAreas } from './schema'
import { severities } from './scores'
import type { TuningState } from './state'

export function contradictions(state: TuningState): Finding[] {
  const checks = new Checks('tuning')
  checkCounts(checks, state)
  checkScore(checks, state)
  checkProgress(checks, state)
  checkFocus(checks, state)
  return checks.findings
}

function checkCounts(checks: Checks, { document, root, details }: TuningState): void {
  const { counted } = details.issuesBySeverity
  for (const severity of severities) {
    const node = at(root, 'issues_by_severity', severity)
    const recorded = numberOf(node)
    if (!node || recorded === undefined || recorded === counted[severity] || field(root, 'issues')?.kind !== 'list')
      continue
    checks.add(document, node, 'issue-count', 'warning', `${counted[severity]}, the number of issues listed`, {
      ...(document.isWhole ? { repair: replaceScalar(node, counted[severity]) } : {}),
    })
  }
  const errors = itemsOf(field(root, 'errors')).length
  const errorCount = field(root, 'error_count')
  if ((numberOf(errorCount) ?? errors) < errors)
    checks.add(document, errorCount, 'error-count', 'warning', `at least ${errors}, the number of errors listed`)
  const iterations = field(root, 'iteration_count')
  const most = numberOf(field(root, 'max_iterations'))
  if (most !== undefined && (numberOf(iterations) ?? 0) > most)
    checks.add(document, iterations, 'iteration-limit', 'error', `at most ${most}, the limit of the run`)
}

/** Two formulas are in use; only a score or gate that fits neither is reported. */
function checkScore(checks: Checks, { document, root, details }: TuningState): void {
  const { completedActions, score } = details
  // Before its report a run has the template's values, 0 and fail.
  if (!completedActions.some(({ value }) => value === actionNames.report || value === actionNames.verify)) return
  const { health, composite, recorded, gate } = score
  if (recorded.value !== null && recorded.value !== health.score && recorded.value !== composite.score) {
    checks.add(
      document,
      field(root, 'quality_score'),
      'score',
      'warning',
      `${health.score} (health score) or ${composite.score} (composite) for its issues`,
    )
  }
  if (gate.value !== null && gate.value !== health.gate && gate.value !== composite.gate) {
    const either =
      health.gate === composite.gate
        ? `${health.gate} by both formulas`
        : `${health.gate} (health score) or ${composite.gate} (composite)`
    checks.add(document, field(root, 'quality_gate'), 'gate', 'warning', `${either} for its issues`)
  }
}

function checkFocus(checks: Checks, { document, root }: TuningState): void {
  for (const area of itemsOf(field(root, 'focus_areas')))
    if (!focusAreas.has(textOf(area)?.trim().toLowerCase() ?? ''))
      checks.add(
        document,
        area,
        'focus-area',
        'warning',
        `one of ${[...focusAreas].join(', ')}: with an unknown area the run skips its diagnoses`,
      )
}

const perFix: ReadonlySet<string | undefined> = new Set([actionNames.apply, actionNames.verify])

const MAX_REPEATS = 3

function checkProgress(checks: Checks, { document, root, details }: TuningState): void {
  const { status, currentAction, completedActions, diagnoses } = details
  const node = (name: string) => field(root, name)
  const errors = numberOf(node('error_count'))
  const maxErrors = numberOf(node('max_errors'))
  if ((status.value === 'completed' || status.value === 'failed') && currentAction.value !== null) {
    checks.add(document, node('current_action'), 'impossible-state', 'warning', `null, as the run is ${status.value}`)
  }
  if (status.value === 'pending' && (completedActions.length > 0 || diagnoses.some(({ state }) => state === 'done'))) {
    checks.add(document, node('status'), 'impossible-state', 'warning', 'running: actions of this run are completed')
  }
  if (status.value === 'running' && errors !== undefined && maxErrors !== undefined && errors >= maxErrors) {
    checks.add(
      document,
      node('status'),
      'impossible-state',
      'warning',
      `failed: the limit of ${maxErrors} errors is reached`,
    )
  }
  if (status.value === 'failed' && errors !== undefined && maxErrors !== undefined && errors < maxErrors) {
    checks.add(
      document,
      node('status'),
      'impossible-state',
      'info',
      `another status: ${errors} of at most ${maxErrors} errors`,
    )
  }
  if ((numberOf(node('iteration_count')) ?? 0) === 0) {
    for (const { area, state } of diagnoses) {
      const done = completedActions.find(({ value }) => value === `action-diagnose-${area}`)
      if (done && (state === 'open' || state === 'skipped'))
        checks.add(
          document,
          at(root, 'diagnosis', area),
          'lost-diagnosis',
          'warning',
          'a result: its action is completed',
        )
    }
  }
  const actions = itemsOf(node('completed_actions'))
  const applied = itemsOf(node('applied_fixes')).length
  let run = 1
  for (const [index, action] of actions.entries()) {
    run = index > 0 && textOf(action) === textOf(actions[index - 1]) ? run + 1 : 1
    const most = perFix.has(textOf(action)) ? Math.max(MAX_REPEATS, applied + 1) : MAX_REPEATS
    if (run === most) checks.add(document, action, 'repeats', 'warning', 'a different action: the run may be looping')
  }
}
