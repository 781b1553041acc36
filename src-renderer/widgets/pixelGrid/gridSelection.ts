export interface GridSelection {
  readonly cursor: number
  readonly anchor: number
  readonly picked: ReadonlySet<number>
}

export const selectOnly = (at: number): GridSelection => ({ cursor: at, anchor: at, picked: new Set([at]) })

export function extendTo(selection: GridSelection, at: number): GridSelection {
  const from = Math.min(selection.anchor, at)
  const length = Math.abs(selection.anchor - at) + 1
  return { ...selection, cursor: at, picked: new Set(Array.from({ length }, (_, n) => from + n)) }
}

export function toggleAt(selection: GridSelection, at: number): GridSelection {
  const picked = new Set(selection.picked)
  if (!picked.has(at)) picked.add(at)
  else if (picked.size > 1) picked.delete(at)
  return { cursor: at, anchor: at, picked }
}

export const selectAll = (selection: GridSelection, count: number): GridSelection => ({
  ...selection,
  picked: new Set(Array.from({ length: count }, (_, at) => at)),
})

export const pickedInOrder = ({ picked }: GridSelection): number[] => [...picked].sort((a, b) => a - b)

export function withinCount(selection: GridSelection, count: number): GridSelection {
  const last = Math.max(0, count - 1)
  if (selection.cursor <= last && selection.anchor <= last && [...selection.picked].every((at) => at <= last))
    return selection
  const picked = new Set([...selection.picked].filter((at) => at <= last))
  const cursor = Math.min(selection.cursor, last)
  return { cursor, anchor: Math.min(selection.anchor, last), picked: picked.size === 0 ? new Set([cursor]) : picked }
}

interface GridSize {
  readonly columns: number
  readonly count: number
  readonly pageRows: number
}

/** The cell that a key of {@link https://www.w3.org/WAI/ARIA/apg/patterns/grid/} leads to; undefined for other keys. */
export function keyTarget(
  key: string,
  isCtrl: boolean,
  cursor: number,
  { columns, count, pageRows }: GridSize,
): number | undefined {
  const rowStart = cursor - (cursor % columns)
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: cursor - 1,
    ArrowRight: cursor + 1,
    ArrowUp: cursor - columns,
    ArrowDown: cursor + columns,
    Home: isCtrl ? 0 : rowStart,
    End: isCtrl ? count - 1 : rowStart + columns - 1,
    PageUp: cursor - columns * Math.max(1, pageRows),
    PageDown: cursor + columns * Math.max(1, pageRows),
  }
  const target = steps[key]
  if (target === undefined || count === 0) return undefined
  // A step of rows that would leave the grid keeps the column.
  if (target < 0) return key === 'PageUp' ? cursor % columns : key === 'ArrowLeft' ? 0 : cursor
  if (target < count) return target
  return key === 'ArrowUp' || key === 'ArrowDown'
    ? Math.min(lastInColumn(cursor, columns, count), count - 1)
    : count - 1
}

const lastInColumn = (cursor: number, columns: number, count: number): number =>
  cursor + columns * Math.floor((count - 1 - cursor) / columns)
