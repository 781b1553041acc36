/** Whose records lie under the key of a run that moved. */
import { RUN_ID } from '../../storage/sidecar'

interface NamedRun {
  readonly key: string
  readonly id: string | null
}

interface Move {
  readonly from: string
  readonly to: string
}

/**
 * Records follow the run by its id: to where that is found now, or aside where another run has its place.
 * @param owners ids of the runs whose records these are, by the key under which they lie
 */
export function movedRecords(runs: readonly NamedRun[], owners: ReadonlyMap<string, string>): Move[] {
  const idOf = new Map(runs.map(({ key, id }) => [key, id]))
  return [...owners].flatMap(([from, owner]): Move[] => {
    const there = idOf.get(from) ?? null
    if (there === owner) return []
    const [system = ''] = from.split(':', 1)
    const now = runs.find(({ key, id }) => id === owner && key.startsWith(`${system}:`) && owners.get(key) !== owner)
    if (now) return [{ from, to: now.key }]
    return there === null ? [] : [{ from, to: asideKey(system, owner) }]
  })
}

/** The key of no run. */
const asideKey = (system: string, id: string): string => `${system}:${RUN_ID} ${id}`
