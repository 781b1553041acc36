/** The issues of a run as fixes are verified and rolled back: counted, and remembered where the format has no place for them. */
import { AppError } from '@shared/contract/errors'
import { parseJson, type Json } from '@shared/json'
import { field, itemsOf, stringOf, textOf } from '../../text/located'
import { parseLocatedJson } from '../../text/locatedJson'
import { StateText } from '../../text/stateFile'
import { healthScore, severities, type Severity, type SeverityCounts } from '../scores'
import type { StateDraft } from './tuningRun'

/** Writes the counts, the score and the gate as the actions of skill tuning do. @returns the counts */
export function countIssues(draft: StateDraft, found: readonly (string | undefined)[]): SeverityCounts {
  const counts: Record<Severity, number> = { critical: 0, high: 0, medium: 0, low: 0 }
  for (const severity of severities) {
    counts[severity] = found.filter((one) => one === severity).length
    draft.set(['issues_by_severity', severity], counts[severity])
  }
  const { score, gate } = healthScore(counts)
  draft.set(['quality_score'], score)
  draft.set(['quality_gate'], gate)
  return counts
}

/** The name under which the issues that a verified fix resolved are remembered. */
export const resolvedIssues = (id: string): string => `resolved issues of ${id}`

/** What {@link resolvedIssues} holds. @throws AppError when it is not that */
export function parseResolved(
  text: string,
): { readonly id: string | undefined; readonly severity: string | undefined; readonly value: Json }[] {
  const entries = itemsOf(parseLocatedJson(new StateText('remembered', text)).root).map(
    (entry) => stringOf(field(entry, 'text')) ?? '',
  )
  return entries.map((issue) => {
    const { root } = parseLocatedJson(new StateText('remembered', issue))
    if (!root) throw new AppError('INVALID', 'The remembered issues cannot be read.')
    return {
      id: textOf(field(root, 'id')),
      severity: textOf(field(root, 'severity')),
      value: parseJson(issue, 'The remembered issue'),
    }
  })
}
