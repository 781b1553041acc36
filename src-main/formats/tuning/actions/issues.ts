import { AppError } from '@shared/contract/errors'
import { parseJson, type Json } from '@shared/json'
import { field, itemsOf, stringOf, textOf, type Located } from '../../text/located'
import { parseLocatedJson } from '../../text/locatedJson'
import { StateText } from '../../text/stateFile'
import { healthScore, severities, type Severity, type SeverityCounts } from '../scores'
import type { StateDraft } from './tuningRun'

export interface CountedIssue {
  readonly severity: string | null | undefined
  /** Low: listed and counted, but no part of score or gate. */
  readonly confidence?: string | null | undefined
}

export const countedIssue = (node: Located): CountedIssue => ({
  severity: textOf(field(node, 'severity')),
  confidence: textOf(field(node, 'confidence')),
})

export function countIssues(draft: StateDraft, found: readonly CountedIssue[]): SeverityCounts {
  const decisive: Record<Severity, number> = { critical: 0, high: 0, medium: 0, low: 0 }
  for (const severity of severities) {
    const ofSeverity = found.filter((one) => one.severity === severity)
    decisive[severity] = ofSeverity.filter(({ confidence }) => confidence !== 'low').length
    draft.set(['issues_by_severity', severity], ofSeverity.length)
  }
  const { score, gate } = healthScore(decisive)
  draft.set(['quality_score'], score)
  draft.set(['quality_gate'], gate)
  return decisive
}

export const resolvedIssues = (id: string): string => `resolved issues of ${id}`

/** What {@link resolvedIssues} holds. @throws AppError when it is not that */
export function parseResolved(
  text: string,
): (CountedIssue & { readonly id: string | undefined; readonly value: Json })[] {
  const entries = itemsOf(parseLocatedJson(new StateText('remembered', text)).root).map(
    (entry) => stringOf(field(entry, 'text')) ?? '',
  )
  return entries.map((issue) => {
    const { root } = parseLocatedJson(new StateText('remembered', issue))
    if (!root) throw new AppError('INVALID', 'The remembered issues cannot be read.')
    return {
      id: textOf(field(root, 'id')),
      ...countedIssue(root),
      value: parseJson(issue, 'The remembered issue'),
    }
  })
}
