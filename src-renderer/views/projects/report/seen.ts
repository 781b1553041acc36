import { memoized, setViewValue, useViewState, viewValue } from '../../../client/viewState'

const SEEN = 'report.seen'
const MAX_SEEN = 1_000

const marksOf = memoized((stored: unknown): readonly string[] =>
  Array.isArray(stored) ? stored.filter((mark) => typeof mark === 'string') : [],
)

/** FNV-1a, 32 bits, as an id may be long. */
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
