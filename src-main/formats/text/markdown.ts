import type { Span } from './stateFile'

interface Line extends Span {
  readonly line: number
  /** Inside a fence of ``` or ~~~, where no syntax counts. */
  readonly fenced: boolean
}
interface PlainLine extends Line {
  readonly kind: 'text'
  readonly text: string
}
export interface HeadingLine extends Line {
  readonly kind: 'heading'
  readonly level: number
  readonly text: string
}
export interface CheckboxLine extends Line {
  readonly kind: 'checkbox'
  readonly checked: boolean
  readonly mark: number
  /** Text between the brackets: a space, an x, or an unknown mark such as `~`. */
  readonly written: string
  readonly text: string
}
export type MarkdownLine = PlainLine | HeadingLine | CheckboxLine

export function markdownLines(text: string, from = 0): MarkdownLine[] {
  const lines: MarkdownLine[] = []
  let number = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < from; at = text.indexOf('\n', at + 1)) number++
  let fence: string | undefined
  for (let start = from; start < text.length; number++) {
    const newline = text.indexOf('\n', start)
    const next = newline < 0 ? text.length : newline + 1
    const end = newline < 0 ? text.length : text[newline - 1] === '\r' && newline > start ? newline - 1 : newline
    const line = text.slice(start, end)
    const [, marks = '', info = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/s.exec(line) ?? []
    const opens = fence === undefined && marks !== '' && !(marks.startsWith('`') && info.includes('`'))
    const closes = fence !== undefined && marks.startsWith(fence) && info.trim() === ''
    const place = { line: number, start, end, fenced: fence !== undefined || opens }
    if (opens) fence = marks
    else if (closes) fence = undefined
    lines.push(place.fenced ? { ...place, kind: 'text', text: line } : recognise(line, place))
    start = next
  }
  return lines
}

function recognise(text: string, place: Line): MarkdownLine {
  const [, marks, title] = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/s.exec(text) ?? []
  if (marks !== undefined)
    return { ...place, kind: 'heading', level: marks.length, text: (title ?? '').replace(/[ \t]#+[ \t]*$/, '').trim() }
  const [, before, mark, item, close] = checkbox.exec(text) ?? []
  if (before !== undefined && mark !== undefined)
    return {
      ...place,
      kind: 'checkbox',
      checked: /^\s*[xX✓✔✅☑]\uFE0F?\s*$/u.test(mark),
      mark: place.start + before.length,
      written: mark,
      text: (item ?? close ?? '').trim(),
    }
  return { ...place, kind: 'text', text }
}

/**
 * A list item, or a line that starts with brackets. In the brackets stand blanks, an x, or one mark that is no digit:
 * `[1]` is a reference.
 */
const checkbox =
  /^((?:\s*(?:-\s*|(?:[*+•◦▪–—]|\d{1,9}[.)])\s+)|\s*(?=\[ ?[ xX]? ?\]\s))\[)(\s{0,4}|\s?[^\s\d[\]]\uFE0F?\s?)\](?:\s+(.*)|(?<=\[(?:\s{1,4}|[xX])\])([^\s([:].*))?$/su
