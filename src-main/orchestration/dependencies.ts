/** What the keys of tasks and their dependencies say of their order, right or wrong. */

export interface Dependent {
  readonly key: string
  readonly dependencies: readonly string[]
}

/**
 * The rings among tasks that wait for each other, each from its first task in the given order round to the one that closes it.
 * Every task that is in a ring is in one of them. Dangling keys are left out; of equal keys the first counts. O(V + E).
 */
export function findCycles(tasks: readonly Dependent[]): string[][] {
  const byKey = new Map<string, Dependent>()
  for (const task of tasks) if (!byKey.has(task.key)) byKey.set(task.key, task)
  // Tarjan's strongly connected components, with a stack of its own: chains may be thousands of tasks long.
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const open: string[] = []
  const isOpen = new Set<string>()
  const cycles: string[][] = []
  for (const root of byKey.keys()) {
    if (index.has(root)) continue
    const path: { key: string; next: number }[] = [{ key: root, next: 0 }]
    for (let step = path.at(-1); step; step = path.at(-1)) {
      const { key } = step
      if (step.next === 0) {
        index.set(key, index.size)
        low.set(key, index.size - 1)
        open.push(key)
        isOpen.add(key)
      }
      const dependency = byKey.get(key)?.dependencies[step.next++]
      if (dependency !== undefined) {
        if (!byKey.has(dependency)) continue
        if (!index.has(dependency)) path.push({ key: dependency, next: 0 })
        else if (isOpen.has(dependency)) low.set(key, Math.min(low.get(key) ?? 0, index.get(dependency) ?? 0))
        continue
      }
      path.pop()
      const above = path.at(-1)
      if (above) low.set(above.key, Math.min(low.get(above.key) ?? 0, low.get(key) ?? 0))
      if (low.get(key) !== index.get(key)) continue
      const component = open.splice(open.lastIndexOf(key))
      for (const member of component) isOpen.delete(member)
      if (component.length > 1 || byKey.get(key)?.dependencies.includes(key)) cycles.push(component)
    }
  }
  return cycles
}
