/**
 * Cut with an ellipsis where it needs more lines; a word that is too long for a line is broken.
 * @param measure width of a text
 * @param indent of the first line
 */
export function wrapText(
  text: string,
  width: number,
  maxLines: number,
  measure: (text: string) => number,
  indent = 0,
): string[] {
  const lines: string[] = []
  let rest = text.trim()
  while (rest !== '') {
    const room = lines.length === 0 ? width - indent : width
    if (measure(rest) <= room) return [...lines, rest]
    const isLast = lines.length === maxLines - 1
    const fitting = fittingLength(rest, isLast ? room - measure('…') : room, measure)
    if (isLast) return [...lines, `${rest.slice(0, fitting).trimEnd()}…`]
    const blank = rest.lastIndexOf(' ', fitting)
    const end = blank > 0 ? blank : Math.max(1, fitting)
    lines.push(rest.slice(0, end).trimEnd())
    rest = rest.slice(end).trimStart()
  }
  return lines
}

function fittingLength(text: string, room: number, measure: (text: string) => number): number {
  let [fits, tooLong] = [0, text.length + 1]
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1
    if (measure(text.slice(0, middle)) <= room) fits = middle
    else tooLong = middle
  }
  return fits
}
