export type Adjacency = readonly (readonly number[])[]

/**
 * @param count number of nodes
 * @param edges pairs of their numbers, one after the other
 * @param side which number of a pair has the other as its neighbour: 0 follows the edges, 1 goes against them
 */
export function adjacencyOf(count: number, edges: ArrayLike<number>, side: 0 | 1): Adjacency {
  const neighbours = Array.from({ length: count }, (): number[] => [])
  for (let edge = 0; edge < edges.length; edge += 2)
    neighbours[edges[edge + side] ?? -1]?.push(edges[edge + 1 - side] ?? 0)
  return neighbours
}

/**
 * Tarjan's algorithm. Each component comes after those that it leads to; its members begin with the one met first and
 * go on along the edges. O(V + E), and of any depth.
 */
export function strongComponents(neighbours: Adjacency): number[][] {
  const index = new Int32Array(neighbours.length).fill(-1)
  const low = new Int32Array(neighbours.length)
  const isOpen = new Uint8Array(neighbours.length)
  const open: number[] = []
  const components: number[][] = []
  let met = 0
  const meet = (node: number): { readonly node: number; next: number } => {
    index[node] = low[node] = met++
    open.push(node)
    isOpen[node] = 1
    return { node, next: 0 }
  }
  const lower = (node: number, to: number | undefined): void => {
    low[node] = Math.min(low[node] ?? 0, to ?? 0)
  }
  for (let root = 0; root < neighbours.length; root++) {
    if (index[root] !== -1) continue
    // Not recursive: chains may be many thousands long.
    const path = [meet(root)]
    for (let step = path.at(-1); step; step = path.at(-1)) {
      const { node } = step
      const neighbour = neighbours[node]?.[step.next++]
      if (neighbour !== undefined) {
        if (index[neighbour] === -1) path.push(meet(neighbour))
        else if (isOpen[neighbour]) lower(node, index[neighbour])
        continue
      }
      path.pop()
      const above = path.at(-1)
      if (above) lower(above.node, low[node])
      if (low[node] !== index[node]) continue
      const component = open.splice(open.lastIndexOf(node))
      for (const member of component) isOpen[member] = 0
      components.push(component)
    }
  }
  return components
}

export const isRing = (component: readonly number[], neighbours: Adjacency): boolean =>
  component.length > 1 || component.some((node) => neighbours[node]?.includes(node))
