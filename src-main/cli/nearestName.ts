export function nearestName(typed: string, names: Iterable<string>): string | undefined {
  const maxDistance = Math.max(1, Math.floor(typed.length / 3))
  let nearest: { name: string; distance: number } | undefined
  for (const name of names) {
    const distance = typed.length > 1 && name.startsWith(typed) ? 0 : editDistance(typed, name)
    if (distance <= maxDistance && distance < (nearest?.distance ?? Infinity)) nearest = { name, distance }
  }
  return nearest?.name
}

export function didYouMean(typed: string, names: Iterable<string>): string {
  const name = nearestName(typed, names)
  return name === undefined ? '' : ` Did you mean ${name}?`
}

function editDistance(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current[column] = Math.min(
        (current[column - 1] ?? 0) + 1,
        (last[column] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : Infinity,
      )
    }
    beforeLast = last
    last = current
  }
  return last[to.length] ?? 0
}
