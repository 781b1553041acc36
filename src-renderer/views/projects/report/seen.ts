/** What of reports the person has looked at, kept over a restart. */
import { memoized, setViewValue, useViewState, viewValue } from '../../../client/viewState'

const SEEN = 'report.seen'
/** The newest are kept. */
const MAX_SEEN = 1_000

const marksOf = memoized((stored: unknown): readonly string[] =>
  Array.isArray(stored) ? stored.filter((mark) => typeof mark === 'string') : [],
)

/** A short name of what may be long: FNV-1a, 32 bits. */
function markOf(id: string): string {
  let hash = 0x811c9dc5
  for (const character of id) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return (hash >>> 0).toString(36)
}

export function useSeen(): (id: string) => boolean {
  const [marks] = useViewState(SEEN, marksOf)
  return (id) => marks.includes(markOf(id))
}

export function markSeen(ids: readonly string[]): void {
  const marks = new Set(viewValue(SEEN, marksOf))
  const added = ids.map(markOf).filter((mark) => !marks.has(mark))
  if (added.length > 0) setViewValue(SEEN, [...marks, ...added].slice(-MAX_SEEN))
}
