/**
 * The notes of a project as text: each is one item of a Markdown list. `` - `$0340-$037f` Sprite data. `` has its place in
 * backticks, goes on in indented lines, and may end with a line that says who wrote it: `— claude, 2026-11-29; call 42: …`.
 * Everything else in the file is the person's, and stays as it is.
 */
import { createHash } from 'node:crypto'
import { parseAddressRange } from '@shared/c64/address'
import { AppError } from '@shared/contract/errors'
import { MAX_EVIDENCE_LENGTH, MAX_NOTE_LENGTH, MAX_NOTES, MAX_PLACE_LENGTH, type Note } from '@shared/contract/notes'
import { printFinding, quote, type Finding } from '../formats/finding'
import { StateText, type Span } from '../formats/text/stateFile'

export interface WrittenNote {
  readonly place: string | null
  readonly text: string
  readonly by: string
  readonly date: string
  readonly evidence: string | null
  readonly lastCall: string | null
}

interface Item {
  readonly note: Note
  /** Up to the end of its last line, without the line break. */
  readonly span: Span
}

interface ReadNotes {
  readonly items: readonly Item[]
  readonly findings: readonly Finding[]
}

const HEADING = [
  '# C64 notes',
  '',
  'What people and agents found out about this program. Each item of the list is a note: a place in backticks (an address, a range',
  'or a label), the text, and who wrote it. Edit it as you like.',
  '',
]

const UNENDED = 'notes/block'
const BULLET = /^[-*+][ \t]+(?=\S)/
const INDENTED = /^(?: {2}|\t)/
const FENCE = /^ {0,3}(`{3,}|~{3,})/
const OTHER_BLOCK = /^(?:#|>|<!--| {0,3}(?:`{3}|~{3})|\d+[.)] |-{3,}\s*$|\*{3,}\s*$|_{3,}\s*$)/
const PLACE = /^(?:`([^\s\p{Cc}`]+)`:?|(\$[0-9a-f]+(?:-\$?[0-9a-f]+)?):)(?=\s|$)/iu
/** Leading code in backticks, such as an instruction, is a place only if it looks like one. */
const ADDRESS_OR_LABEL = /^(?:[$%+\d]|[\p{L}_.@])/u
const SIGNATURE = /^(?:—|–|--) +([^,;\p{Cc}]+), (\d{4}-\d{2}-\d{2})(?:; ([^\p{Cc}]*))?$/u

export function readNotes(file: StateText): ReadNotes {
  const findings: Finding[] = []
  const { spans, unended } = itemSpans(file)
  const items = spans.map((span) => {
    const { place, wrong, ...content } = contentOf(linesOf(file.text.slice(span.start, span.end)))
    if (wrong !== null) {
      const start = file.text.indexOf(wrong.text, span.start)
      findings.push(file.finding({ start, end: start + wrong.text.length }, 'notes/place', 'warning', wrong.expected))
    }
    const { line } = file.lines.place(span.start)
    return { span, note: { id: idOf(file.text.slice(span.start, span.end)), line, place, ...content } }
  })
  if (unended !== null)
    findings.push(
      file.finding(unended, UNENDED, 'warning', 'an end of this code or comment: notes below it are not read'),
    )
  const tooMany = items[MAX_NOTES]
  if (tooMany) findings.push(file.finding(tooMany.span, 'notes/count', 'warning', `at most ${MAX_NOTES} notes`))
  return { items: items.slice(0, MAX_NOTES), findings }
}

/**
 * @param text null where there is no file yet
 * @throws AppError INVALID for too many
 */
export function addNote(text: string | null, note: WrittenNote, file: string): string {
  if (text === null || text === '') return [...HEADING, ...rendered(note, '-'), ''].join('\n')
  const { items, findings } = readNotes(new StateText(file, text))
  const unended = findings.find(({ rule }) => rule === UNENDED)
  if (unended && items.length === 0)
    throw new AppError('INVALID', `Nothing was written: ${printFinding(unended)}.`, { hint: 'Mend the file first.' })
  if (items.length >= MAX_NOTES)
    throw new AppError('INVALID', `${file} has ${MAX_NOTES} notes already.`, { hint: 'Remove those that are done.' })
  const last = items.at(-1)
  return withItem(text, last, rendered(note, last ? text.charAt(last.span.start) : '-'))
}

function withItem(text: string, last: Item | undefined, lines: readonly string[]): string {
  const end = lineEndOf(text)
  const item = lines.join(end)
  if (!last) return `${text}${text.endsWith('\n') ? '' : end}${end}${item}${end}`
  return `${text.slice(0, last.span.end)}${end}${item}${text.slice(last.span.end)}`
}

export function addMissing(now: string, before: string, theirs: string): string {
  const itemsOf = (text: string) => readNotes(new StateText('', text)).items
  const known = new Set([...itemsOf(before), ...itemsOf(now)].map(({ note }) => note.id))
  return itemsOf(theirs)
    .filter(({ note }) => !known.has(note.id))
    .reduce((text, { span }) => withItem(text, itemsOf(text).at(-1), linesOf(theirs.slice(span.start, span.end))), now)
}

/**
 * Unchanged where the note says it all already.
 * @throws AppError CONFLICT for a note that is gone
 */
export function replaceNote(text: string, id: string, note: WrittenNote, file: string): string {
  const { span, note: before } = requireNote(text, id, file)
  const lines = rendered({ ...note, lastCall: note.lastCall ?? before.evidence }, text.charAt(span.start))
  const { place, text: words } = contentOf(lines)
  const isSame = place === before.place && words === before.text
  if (isSame && (note.evidence ?? before.evidence) === before.evidence) return text
  return text.slice(0, span.start) + lines.join(lineEndOf(text)) + text.slice(span.end)
}

/** @throws AppError CONFLICT for a note that is gone */
export function removeNote(text: string, id: string, file: string): string {
  const { start, end } = requireNote(text, id, file).span
  const after = /^\r?\n/.exec(text.slice(end))?.[0].length ?? 0
  return text.slice(0, start) + text.slice(end + after)
}

/** @throws AppError CONFLICT where there is none */
export function requireNote(text: string, id: string, file: string): Item {
  const found = readNotes(new StateText(file, text)).items.find(({ note }) => note.id === id)
  if (found) return found
  throw new AppError('CONFLICT', `${file} has no note ${id}: it was changed or removed meanwhile.`, {
    hint: 'See what is there now with “bridgedeck note list”.',
  })
}

function itemSpans({ text, start: first, lines }: StateText): { spans: Span[]; unended: Span | null } {
  const spans: { start: number; end: number }[] = []
  let item: { start: number; end: number } | undefined
  let isAfterBlank = false
  let endsBlock: ((line: string) => boolean) | undefined
  let block: Span | null = null
  for (const [index, lineStart] of lines.starts.entries()) {
    const start = Math.max(first, lineStart)
    const line = text.slice(start, lines.starts[index + 1] ?? text.length).trimEnd()
    const end = start + line.length
    const isBlank = line === ''
    if (endsBlock) {
      if (endsBlock(line)) endsBlock = undefined
    } else if (BULLET.test(line)) spans.push((item = { start, end }))
    else if (item && !isBlank && (INDENTED.test(line) || !(isAfterBlank || OTHER_BLOCK.test(line)))) item.end = end
    else if (!isBlank) {
      item = undefined
      endsBlock = blockFrom(line)
      block = { start, end }
    }
    isAfterBlank = isBlank
  }
  return { spans, unended: endsBlock ? block : null }
}

function blockFrom(line: string): ((line: string) => boolean) | undefined {
  const [, fence] = FENCE.exec(line) ?? []
  if (fence !== undefined) return (other) => other.trim().startsWith(fence)
  return line.startsWith('<!--') && !line.includes('-->') ? (other) => other.includes('-->') : undefined
}

interface Content extends Pick<Note, 'place' | 'text' | 'by' | 'date' | 'evidence'> {
  readonly wrong: { readonly text: string; readonly expected: string } | null
}

function contentOf([first = '', ...rest]: readonly string[]): Content {
  const lines = [first.replace(BULLET, ''), ...rest.map((line) => line.replace(INDENTED, ''))].map((line) =>
    line.trimEnd(),
  )
  const [, by, date, evidence] = (lines.length > 1 ? SIGNATURE.exec(lines.at(-1) ?? '') : null) ?? []
  const isSigned = by !== undefined && date !== undefined && isDate(date)
  const text = (isSigned ? lines.slice(0, -1) : lines).join('\n').trim()
  const [written = '', inCode, bare] = PLACE.exec(text) ?? []
  const place = (inCode ?? bare)?.slice(0, MAX_PLACE_LENGTH + 1)
  const isPlace = place !== undefined && place.length <= MAX_PLACE_LENGTH && ADDRESS_OR_LABEL.test(place)
  const expected = isPlace ? whyNoAddress(place) : null
  const shown = isPlace && expected === null ? text.slice(written.length).trim() : text
  return {
    place: isPlace && expected === null ? place : null,
    text: shown.slice(0, MAX_NOTE_LENGTH),
    by: isSigned ? by.slice(0, MAX_PLACE_LENGTH) : null,
    date: isSigned ? date : null,
    evidence: isSigned ? (evidence?.slice(0, MAX_EVIDENCE_LENGTH) ?? null) : null,
    wrong: isPlace && expected !== null ? { text: place, expected } : null,
  }
}

/** @throws AppError INVALID for a place that would not be read as one */
export function requirePlace(place: string): void {
  const expected = ADDRESS_OR_LABEL.test(place) ? whyNoAddress(place) : 'an address, a range or a label'
  if (expected !== null) throw new AppError('INVALID', `${quote(place)} is no place of a note: expected ${expected}.`)
}

/** Null also for a label, which any program may have. */
function whyNoAddress(place: string): string | null {
  if (!/^[$%+\d]/.test(place)) return null
  try {
    parseAddressRange(place)
    return null
  } catch {
    return 'an address or a range of memory, such as $c000-$c0ff'
  }
}

function isDate(date: string): boolean {
  const time = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(date)
}

function rendered({ place, text, by, date, evidence, lastCall }: WrittenNote, bullet: string): string[] {
  const written = text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/(?![\n\t])\p{Cc}/gu, '')
    .trim()
  const whole = place === null ? written : `\`${place}\` ${written}`
  const who = by.replaceAll(/[,;\s\p{Cc}]+/gu, ' ').trim() || 'unknown'
  const behind = evidence ?? lastCall
  const signature = `— ${who}, ${date}${behind === null ? '' : `; ${behind}`}`
  const [first = '', ...rest] = [...whole.trim().split('\n'), signature].map((line) => line.trimEnd())
  return [`${bullet} ${first}`, ...rest.map((line) => (line === '' ? '' : `  ${line}`))]
}

const linesOf = (item: string): string[] => item.split(/\r?\n/)

const lineEndOf = (text: string): string => (/\r?\n/.exec(text)?.[0] === '\r\n' ? '\r\n' : '\n')

const idOf = (item: string): string => createHash('sha256').update(linesOf(item).join('\n')).digest('hex').slice(0, 8)
