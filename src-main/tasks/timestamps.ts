/** UTC as `YYYY-MM-DDTHH-mm-ssZ`. */

/** @param time ms since 1970 */
export const formatTimestamp = (time: number): string =>
  `${new Date(time).toISOString().slice(0, 19).replaceAll(':', '-')}Z`

/** The spec's form, and c64bridge's ISO form with ms. */
const written = /^(\d{4}-\d\d-\d\dT\d\d)[-:](\d\d)[-:](\d\d)(\.\d{1,9})?Z$/

/** The latest time that a Date can hold, ms since 1970. */
const LATEST = 8.64e15

/**
 * ms since 1970. Accepts the spec's form, ISO with ms, and the number that the oldest c64bridge wrote; null for
 * anything else.
 */
export function parseTimestamp(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) && Math.abs(value) <= LATEST ? value : null
  const parts = typeof value === 'string' ? written.exec(value) : null
  if (!parts) return null
  const [, hours, minutes, seconds, fraction = ''] = parts
  const time = Date.parse(`${hours ?? ''}:${minutes ?? ''}:${seconds ?? ''}${fraction.slice(0, 4)}Z`)
  return Number.isNaN(time) ? null : time
}
