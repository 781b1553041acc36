export interface CellSize {
  readonly width: number
  readonly height: number
}

/** Around each cell: a pixel of ground, and one for its mark. */
export const CELL_MARGIN = 2

export interface GridLayout {
  readonly columns: number
  readonly rows: number
  readonly pitchX: number
  readonly pitchY: number
}

/** As many columns as fit, in multiples of four where there are more, as addresses are easier to read off then. */
export function layoutOf({ width, height }: CellSize, room: number, count: number): GridLayout {
  const pitchX = width + 2 * CELL_MARGIN
  const fitting = Math.max(1, Math.floor(room / pitchX))
  const columns = fitting > 4 ? fitting - (fitting % 4) : fitting
  return { columns, rows: Math.ceil(count / columns), pitchX, pitchY: height + 2 * CELL_MARGIN }
}

export function cellAt({ columns, pitchX, pitchY }: GridLayout, x: number, y: number, count: number): number | null {
  const column = Math.floor(x / pitchX)
  const row = Math.floor(y / pitchY)
  const cell = row * columns + column
  return column < 0 || column >= columns || row < 0 || cell >= count ? null : cell
}

export function frameCell(
  words: Uint32Array,
  width: number,
  at: number,
  cell: CellSize,
  distance: 1 | 2,
  word: number,
): void {
  const left = at - distance - distance * width
  const across = cell.width + 2 * distance
  const below = left + (cell.height + 2 * distance - 1) * width
  words.fill(word, left, left + across)
  words.fill(word, below, below + across)
  for (let y = left; y <= below; y += width) {
    words[y] = word
    words[y + across - 1] = word
  }
}
