import type { DetailsOf } from '@shared/contract/runDetails'
import { formatTimeline } from '../formatTimeline'
import type { TimelineRow } from '../timelineRow'

function timeline(details: DetailsOf<'maestro'>): TimelineRow[] {
  return [
    ...details.phases.flatMap(({ key, name, id, status, agents, started, completed }): TimelineRow[] => {
      if (started.value === null) return []
      const tone = status.value === 'failed' ? 'bad' : status.value === 'completed' ? 'ok' : 'accent'
      const who = agents.flatMap(({ value }) => value ?? []).join(', ')
      return [
        {
          label: name.value ?? id.value ?? key,
          from: started.value,
          to: completed.value,
          tone,
          note: [status.value ?? 'unknown', who].filter(Boolean).join(', by '),
          source: started.source,
          key,
        },
      ]
    }),
    ...details.phases.flatMap(({ key, errors }) =>
      errors.flatMap(({ time, type, message, agent }): TimelineRow[] =>
        time.value === null
          ? []
          : [
              {
                label: type.value ?? 'error',
                from: time.value,
                to: time.value,
                tone: 'bad',
                note: [agent.value, message.value].filter(Boolean).join(': '),
                source: time.source,
                key,
              },
            ],
      ),
    ),
  ]
}

export const rows = formatTimeline('maestro', timeline)
