const MAX_PATTERN_CHARACTERS = 200

export const isPattern = (file: string): boolean => /[*?]/.test(file)

type Matcher = (path: string) => boolean

export function pathMatcher(pattern: string): Matcher {
  if (pattern.length > MAX_PATTERN_CHARACTERS) return () => false
  const parts = pattern.replace(/^\.\//, '').match(/\*\*\/|\*\*|[^]/g) ?? []
  return (path) => {
    let places = withEmpty(parts, [0])
    for (const character of path) {
      const next = new Set<number>()
      for (const place of places) next.add(placeAfter(parts, place, character))
      next.delete(NOWHERE)
      places = withEmpty(parts, next)
      if (places.size === 0) return false
    }
    return places.has(parts.length)
  }
}

const NOWHERE = Number.NaN

function placeAfter(parts: readonly string[], place: number, character: string): number {
  if (place < 0) return character === '/' ? -place - 1 : place
  const part = parts[place]
  if (part === '**/') return character === '/' ? place : -place - 1
  if (part === '**' || (part === '*' && character !== '/')) return place
  return part === character || (part === '?' && character !== '/') ? place + 1 : NOWHERE
}

function withEmpty(parts: readonly string[], places: Iterable<number>): Set<number> {
  const reached = new Set(places)
  for (const place of reached) if (parts[place]?.startsWith('*') === true) reached.add(place + 1)
  return reached
}
