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
 * Records follow a run by its id to its new key, or aside where another run has its place.
 * @param owners ids of the runs by the key of their records
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

const asideKey = (system: string, id: string): string => `${system}:${RUN_ID} ${id}`
