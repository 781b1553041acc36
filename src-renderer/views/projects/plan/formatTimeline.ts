import type { DetailsOf, RunDetails } from '@shared/contract/runDetails'
import type { System } from '@shared/contract/orchestration'
import type { TimelineRow } from './timelineRow'

export type FormatTimeline = (details: RunDetails) => TimelineRow[]

export function formatTimeline<Name extends System>(
  system: Name,
  rowsOf: (details: DetailsOf<Name>) => TimelineRow[],
): FormatTimeline {
  const isOwn = (details: RunDetails): details is DetailsOf<Name> => details.system === system
  return (details) => (isOwn(details) ? rowsOf(details) : [])
}
