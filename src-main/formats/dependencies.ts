import { adjacencyOf, isRing, strongComponents } from '@shared/graph/components'

export interface Dependent {
  readonly key: string
  readonly dependencies: readonly string[]
}

/**
 * Each cycle starts with its first task in the given order, and every task in a cycle is in one of them. Unknown keys
 * are left out; of equal keys the first counts. O(V + E).
 */
export function findCycles(tasks: readonly Dependent[]): string[][] {
  const numbers = numberKeys(tasks)
  const edges = tasks.flatMap(({ key, dependencies }, at) =>
    numbers.get(key) === at ? dependencies.flatMap((dependency) => pairOf(at, numbers.get(dependency))) : [],
  )
  const neighbours = adjacencyOf(tasks.length, edges, 0)
  return strongComponents(neighbours)
    .filter((component) => isRing(component, neighbours))
    .map((component) => component.flatMap((at) => tasks[at]?.key ?? []))
}

const pairOf = (from: number, to: number | undefined): number[] => (to === undefined ? [] : [from, to])

export function numberKeys(items: readonly { readonly key: string }[]): Map<string, number> {
  const numbers = new Map<string, number>()
  items.forEach(({ key }, at) => {
    if (!numbers.has(key)) numbers.set(key, at)
  })
  return numbers
}
