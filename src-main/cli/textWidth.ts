/** Columns of a terminal: none for combining marks, two for East Asian characters and pictures. */
export function textWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length
  let width = 0
  for (const character of text) width += marks.test(character) ? 0 : wide.test(character) ? 2 : 1
  return width
}

const marks = /[\p{Mn}\p{Me}\u200b-\u200d\ufe0f]/u
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u

export const wrapText = (text: string, width: number): string[] =>
  text.split('\n').flatMap((line) => wrapLine(line, width))

function wrapLine(text: string, width: number): string[] {
  const lines: string[] = []
  let rest = text
  do {
    const end = textWidth(rest) > width ? fittingLength(rest, width) : rest.length
    const blank = end === rest.length ? -1 : rest.lastIndexOf(' ', end)
    const isAtBlank = blank > 0 && rest.slice(0, blank).trim() !== ''
    lines.push(rest.slice(0, isAtBlank ? blank : end).trimEnd())
    rest = rest.slice(isAtBlank ? blank + 1 : end)
  } while (rest !== '')
  return lines
}

function fittingLength(text: string, width: number): number {
  let length = 0
  let taken = 0
  for (const character of text) {
    taken += textWidth(character)
    if (taken > width && length > 0) break
    length += character.length
  }
  return length
}
