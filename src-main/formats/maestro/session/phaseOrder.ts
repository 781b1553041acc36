interface Ordered {
  readonly key: string
  readonly blockedBy: readonly string[]
}

/** Of each phase: how many precede it on its longest path. Phases in a cycle, or behind one, have none. */
export function depthsOf(phases: readonly Ordered[]): ReadonlyMap<string, number> {
  const depths = new Map<string, number>()
  const known = new Set(phases.map(({ key }) => key))
  for (let isChanged = true; isChanged;) {
    isChanged = false
    for (const { key, blockedBy } of phases) {
      if (depths.has(key)) continue
      const before = blockedBy.filter((other) => known.has(other)).map((other) => depths.get(other))
      if (before.includes(undefined)) continue
      depths.set(key, Math.max(-1, ...before.map((depth) => depth ?? 0)) + 1)
      isChanged = true
    }
  }
  return depths
}

interface Work {
  readonly agents: readonly string[]
  readonly files: readonly string[]
}

/** Two agents of the same name would write results under one name. */
export const areApart = (one: Work, other: Work): boolean =>
  !one.files.some((file) => other.files.includes(file)) && one.agents[0] !== other.agents[0]
