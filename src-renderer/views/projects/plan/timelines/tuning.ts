import type { DetailsOf } from '@shared/contract/runDetails'
import { verificationText } from '../../verificationText'
import { formatTimeline } from '../formatTimeline'
import type { TimelineRow } from '../timelineRow'

function timeline(details: DetailsOf<'tuning'>): TimelineRow[] {
  return [
    ...details.history.flatMap(({ action, startedAt, completedAt, result }): TimelineRow[] =>
      startedAt.value === null
        ? []
        : [
            {
              label: action.value ?? 'action',
              from: startedAt.value,
              to: completedAt.value,
              tone: result.value === 'failure' || result.value === 'failed' ? 'bad' : 'ok',
              note: result.value ?? 'no result',
              source: startedAt.source,
              key: null,
            },
          ],
    ),
    ...details.fixes.flatMap(({ id, applied }) =>
      applied.flatMap(({ at, verification }): TimelineRow[] =>
        at.value === null
          ? []
          : [
              {
                label: `${id.value ?? 'a fix'} applied`,
                from: at.value,
                to: at.value,
                tone: verification.value === 'fail' ? 'bad' : 'accent',
                note: verificationText(verification.value),
                source: at.source,
                key: null,
              },
            ],
      ),
    ),
  ]
}

export const rows = formatTimeline('tuning', timeline)
