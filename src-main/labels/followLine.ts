/**
 * Null where the line is gone. Lines above the first and below the last change keep their place; between them it is the
 * nearest line with the same text.
 */
export function followLine(before: string, after: string, line: number): number | null {
  const [old, now] = [before, after].map(linesOf)
  if (!old || !now) return null
  const wanted = old[line - 1]
  if (wanted === undefined) return null
  const most = Math.min(old.length, now.length)
  let above = 0
  while (above < most && old[above] === now[above]) above++
  if (line <= above) return line
  let below = 0
  while (below < most - above && old[old.length - 1 - below] === now[now.length - 1 - below]) below++
  const moved = now.length - old.length
  if (line > old.length - below) return line + moved
  let nearest: number | null = null
  for (let at = above + 1; at <= now.length - below; at++)
    if (now[at - 1] === wanted && (nearest === null || Math.abs(at - line) < Math.abs(nearest - line))) nearest = at
  return nearest
}

const linesOf = (text: string): string[] => text.split('\n').map((line) => line.trim())
