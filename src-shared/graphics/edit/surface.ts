export type Parts = readonly Uint8Array[]

/** The value is the bits of a pixel, a colour, or a character with its colour, depending on the surface. */
export interface Point {
  readonly x: number
  readonly y: number
  readonly value: number
}

export interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface Surface {
  readonly width: number
  readonly height: number
  readonly clear: number
  readonly get: (parts: Parts, x: number, y: number) => number
  readonly inverted: (parts: Parts, x: number, y: number) => number
  /** Writes into the caller's own parts. Points outside are ignored; of two at one place the later counts. */
  readonly write: (parts: Parts, points: readonly Point[]) => void
  readonly placeOf: (x: number, y: number) => { readonly part: number; readonly offset: number }
  /** Width of a pixel in points: 2 for multicolour. */
  readonly widthAt: (x: number, y: number) => 1 | 2
}

export interface Change {
  readonly part: number
  readonly offset: number
  readonly before: Uint8Array
  readonly after: Uint8Array
}

export const isInside = ({ width, height }: Pick<Surface, 'width' | 'height'>, x: number, y: number): boolean =>
  x >= 0 && y >= 0 && x < width && y < height

export const wholeOf = ({ width, height }: Pick<Surface, 'width' | 'height'>): Area => ({ x: 0, y: 0, width, height })

export function withPoints(surface: Surface, parts: Parts, points: readonly Point[]): Uint8Array[] {
  const after = parts.map((part) => part.slice())
  surface.write(after, points)
  return after
}

export function changesBetween(before: Parts, after: Parts): Change[] {
  return before.flatMap((old, part) => {
    const changed = after[part] ?? old
    const changes: Change[] = []
    for (let at = 0; at < old.length; at++) {
      if (old[at] === changed[at]) continue
      const start = at
      while (at < old.length && old[at] !== changed[at]) at++
      changes.push({ part, offset: start, before: old.slice(start, at), after: changed.slice(start, at) })
    }
    return changes
  })
}
