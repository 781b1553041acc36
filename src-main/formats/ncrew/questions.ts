/** A question that is not clearly resolved is open: the crew waits for it. */
import { quote, type Finding } from '../finding'
import { nameOf } from '../listing'
import { field, textOf, type Located } from '../text/located'
import type { MarkdownLine } from '../text/markdown'
import type { Span } from '../text/stateFile'
import type { MarkdownFile } from './markdownFile'

export interface Question {
  readonly file: MarkdownFile
  readonly title: string
  readonly status: Located | undefined
  readonly decision: string | undefined
  readonly reason: string | undefined
  readonly decisionLine: MarkdownLine | undefined
  readonly options: readonly string[]
  readonly recommendation: string | undefined
  /** `pending`, or the reason after “Not clearly resolved:”; undefined when it is resolved. */
  readonly open: string | undefined
  readonly isReadable: boolean
}

export function readQuestion(file: MarkdownFile, isReadable: boolean): Question {
  const heading = file.lines.find((line) => line.kind === 'heading' && line.level === 1)
  const decisionLine = answerLine(file, 'Decision')
  const status = field(file.front.document.root, 'status')
  const words = (line: AnswerLine | undefined) => (line && isFilledIn(line.value) ? line.value : undefined)
  const decision = words(decisionLine) ?? freeAnswer(file)
  const options = file.lines.flatMap((line) => optionOf(line) ?? [])
  const isWhole = isReadable && !file.front.document.findings.some(isBroken)
  return {
    file,
    title: heading?.kind === 'heading' ? heading.text.replace(/^blocker\s*:\s*/i, '') : nameOf(file.text.path),
    status,
    decision,
    reason: words(answerLine(file, 'Reason')),
    decisionLine: decisionLine?.line,
    options,
    recommendation: recommendationOf(file, options),
    open: isReadable ? whyOpen(file, status, decision) : 'the file cannot be read',
    isReadable: isWhole,
  }
}

const isBroken = ({ severity, rule }: Finding): boolean => severity === 'error' || rule === 'file/duplicate-key'

export const isOpen = ({ open }: Question): boolean => open !== undefined
export const isUnclear = ({ open }: Question): boolean => open !== undefined && open !== PENDING

const PENDING = 'pending'

function whyOpen(
  { front }: MarkdownFile,
  status: Located | undefined,
  decision: string | undefined,
): string | undefined {
  const word = textOf(status)?.trim().toLowerCase()
  if (word === PENDING) return PENDING
  if (front.syntax === 'none') return 'it has no front matter'
  if (front.document.findings.some(isBroken)) return 'its front matter cannot be read'
  if (word === undefined || word === '') return 'it has no status'
  if (word !== 'resolved') return `its status is ${quote(textOf(status))}`
  return decision === undefined ? 'its status is "resolved", but no decision is written' : undefined
}

export const isReadme = ({ front, lines, text }: MarkdownFile): boolean =>
  /^(readme|index)\b/i.test(nameOf(text.path)) &&
  field(front.document.root, 'status') === undefined &&
  !lines.some((line) => line.kind === 'heading' && /^(blocker\b|your answer\b)/i.test(line.text))

/** `**Decision:** ___`: the value, without surrounding white space. */
export interface AnswerLine extends Span {
  readonly line: MarkdownLine
  readonly value: string
  readonly gap: string
}

export function answerLine({ lines }: MarkdownFile, name: 'Decision' | 'Reason' | 'Date'): AnswerLine | undefined {
  const pattern = new RegExp(`^(\\*\\*${name}(?::\\*\\*|\\*\\*:)[ \\t]*)(.*)$`, 's')
  for (const line of lines) {
    if (line.kind !== 'text' || line.fenced) continue
    const [, before, rest] = pattern.exec(line.text) ?? []
    if (before === undefined || rest === undefined) continue
    const start = line.start + before.length
    const value = rest.trim()
    return { line, start, end: start + value.length, value, gap: /\s$/.test(before) ? '' : ' ' }
  }
  return undefined
}

export function isFilledIn(value: string): boolean {
  const words = value.replaceAll(/<!--[^]*?(-->|$)/g, '').trim()
  return (
    /[^\s\p{P}]/u.test(words) &&
    !/^\[[^\]]*\]$/.test(words) &&
    !/^(tbd|tba|todo|to be decided)[\s\p{P}]*$/iu.test(words)
  )
}

const freeAnswer = (file: MarkdownFile): string | undefined => wordsBelow(file, /^your answer\b/i)

function recommendationOf(file: MarkdownFile, options: readonly string[]): string | undefined {
  const words = wordsBelow(file, /^recommendation\b/i)
  const nameOfOption = (text: string) => /^option [^\s:.,;]+/i.exec(text)?.[0].toLowerCase()
  const name = nameOfOption(words ?? '')
  return (name === undefined ? undefined : options.find((option) => nameOfOption(option) === name)) ?? words
}

function wordsBelow({ lines }: MarkdownFile, heading: RegExp): string | undefined {
  const start = lines.findIndex((line) => line.kind === 'heading' && heading.test(line.text))
  if (start < 0) return undefined
  const words: string[] = []
  for (const line of lines.slice(start + 1)) {
    if (line.kind === 'heading') break
    if (line.kind !== 'text' || line.fenced) continue
    const isBlank = !isFilledIn(line.text) || /^\s*(\*\*[^*]{1,40}(:\*\*|\*\*:)|[-*_]{3,}\s*$|<!--)/.test(line.text)
    if (!isBlank) words.push(line.text.trim())
  }
  return words.length === 0 ? undefined : words.join(' ')
}

function optionOf(line: MarkdownLine): string | undefined {
  if (line.kind === 'heading') return /^option\s/i.test(line.text) ? line.text : undefined
  if (line.kind !== 'text' || line.fenced) return undefined
  const [, name, what] = /^\s*[-*+]\s+\*\*(Option [^*:]{1,40})(?::\*\*|\*\*:?)\s*(.*)$/is.exec(line.text) ?? []
  return name === undefined ? undefined : `${name}: ${what ?? ''}`.trim()
}
