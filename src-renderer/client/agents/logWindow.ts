/** Which lines of a log are to be seen. A browser’s scroller ends at some millions of pixels, so a long log’s is not to scale. */

/** Of a line, CSS px. */
export const LINE_PX = 18
/** Of what is scrolled at most, CSS px. */
const MAX_HEIGHT_PX = 8_000_000

export interface LogWindow {
  readonly total: number
  /** Whole lines that have room. */
  readonly rows: number
}

export const heightOf = ({ total }: LogWindow): number => Math.min(total * LINE_PX, MAX_HEIGHT_PX)

/** The greatest first line. */
export const lastTop = ({ total, rows }: LogWindow): number => Math.max(0, total - rows)

/** The first line for a place of the scroller. @param range how far it can be scrolled, CSS px */
export function topOf(window: LogWindow, scrollTop: number, range: number): number {
  const isToScale = window.total * LINE_PX <= MAX_HEIGHT_PX
  const top = isToScale ? scrollTop / LINE_PX : range <= 0 ? 0 : (scrollTop / range) * lastTop(window)
  return Math.min(lastTop(window), Math.max(0, Math.round(top)))
}

/** The place of the scroller for a first line. */
export function scrollOf(window: LogWindow, top: number, range: number): number {
  if (top >= lastTop(window)) return Math.max(0, range)
  return window.total * LINE_PX <= MAX_HEIGHT_PX ? top * LINE_PX : (top / lastTop(window)) * range
}
