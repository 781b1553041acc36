/** In the 16 x 16 grid. */
export interface CharacterSelection {
  readonly anchor: number
  readonly focus: number
}

export const SIDE = 16

export interface Area {
  readonly left: number
  readonly top: number
  readonly columns: number
  readonly rows: number
}

export function areaOf({ anchor, focus }: CharacterSelection): Area {
  const [left, right] = [anchor % SIDE, focus % SIDE].sort((a, b) => a - b)
  const [top, bottom] = [anchor, focus].map((code) => Math.floor(code / SIDE)).sort((a, b) => a - b)
  const [x = 0, y = 0] = [left, top]
  return { left: x, top: y, columns: (right ?? x) - x + 1, rows: (bottom ?? y) - y + 1 }
}

/** Row by row. */
export function codesOf(selection: CharacterSelection): number[] {
  const { left, top, columns, rows } = areaOf(selection)
  return Array.from({ length: columns * rows }, (_, index) => {
    return (top + Math.floor(index / columns)) * SIDE + left + (index % columns)
  })
}

const steps: Readonly<Partial<Record<string, readonly [number, number]>>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  Home: [-SIDE, 0],
  End: [SIDE, 0],
}

/**
 * Null for a key that moves nothing.
 * @param extends whether Shift was held
 */
export function movedBy(
  key: string,
  extend: boolean,
  { anchor, focus }: CharacterSelection,
): CharacterSelection | null {
  const step = steps[key]
  if (!step) return null
  const clamp = (value: number) => Math.min(SIDE - 1, Math.max(0, value))
  const to = clamp(Math.floor(focus / SIDE) + step[1]) * SIDE + clamp((focus % SIDE) + step[0])
  return { anchor: extend ? anchor : to, focus: to }
}
