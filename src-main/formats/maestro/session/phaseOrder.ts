/** The order in which the phases of a session can run. */

interface Ordered {
  readonly key: string
  readonly blockedBy: readonly string[]
}

/** How many phases come before each, along its longest way; phases in a ring, or that wait for one, have none. */
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

/** Whether two phases can be at work at once: no file is of both, and no agent, whose results would have one name. */
export const areApart = (one: Work, other: Work): boolean =>
  !one.files.some((file) => other.files.includes(file)) && one.agents[0] !== other.agents[0]
