/** A browser's scroller ends at some millions of pixels, so a long log is not scrolled to scale. */

/** Of a line, CSS px. */
export const LINE_PX = 18
/** CSS px. */
const MAX_HEIGHT_PX = 8_000_000

export interface LogWindow {
  readonly total: number
  readonly rows: number
}

export const heightOf = ({ total }: LogWindow): number => Math.min(total * LINE_PX, MAX_HEIGHT_PX)

export const lastTop = ({ total, rows }: LogWindow): number => Math.max(0, total - rows)

/** @param range how far the log can be scrolled, CSS px */
export function topOf(window: LogWindow, scrollTop: number, range: number): number {
  const isToScale = window.total * LINE_PX <= MAX_HEIGHT_PX
  const top = isToScale ? scrollTop / LINE_PX : range <= 0 ? 0 : (scrollTop / range) * lastTop(window)
  return Math.min(lastTop(window), Math.max(0, Math.round(top)))
}

export function scrollOf(window: LogWindow, top: number, range: number): number {
  if (top >= lastTop(window)) return Math.max(0, range)
  return window.total * LINE_PX <= MAX_HEIGHT_PX ? top * LINE_PX : (top / lastTop(window)) * range
}
