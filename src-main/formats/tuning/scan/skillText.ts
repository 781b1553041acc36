import { Lines, type Span } from '../../text/stateFile'
import { Code } from './code'
import { isPrompt } from './agentCode'
import { STRING, TEMPLATE } from './tokens'
import { sentencesOf, type Sentence } from './prose'
import { wordSet } from './names'

export interface SkillFile {
  readonly path: string
  readonly text: string
}

export const isReference = (path: string): boolean => referenceFolder.test(path)
const referenceFolder =
  /(?:^|\/)(?:specs?|templates?|references?|examples?|samples?|docs?|documentation|resources|assets|tests?|evals?|fixtures)\//i

interface Region {
  readonly kind: 'front' | 'prose' | 'code'
  readonly start: number
  readonly end: number
  readonly language: string
}

const textLanguages: ReadonlySet<string> = wordSet(' text txt markdown md prompt xml plaintext')
const codeless: ReadonlySet<string> = wordSet(
  'diff mermaid svg css csv sql asm dot plantuml toml ini json jsonc yaml yml html xml text txt plaintext',
)

export class SkillText {
  readonly path: string
  readonly text: string
  #lines: Lines | undefined
  #regions: readonly Region[] | undefined
  #code: Code | undefined

  constructor({ path, text }: SkillFile) {
    this.path = path
    this.text = text
  }

  line(offset: number): number {
    this.#lines ??= new Lines(this.text)
    return this.#lines.place(offset).line
  }

  span(line: number): Span {
    this.#lines ??= new Lines(this.text)
    const start = this.#lines.starts[line - 1] ?? this.text.length
    const next = this.#lines.starts[line] ?? this.text.length + 1
    return { start, end: this.text[next - 2] === '\r' ? next - 2 : next - 1 }
  }

  excerpt(offset: number): string {
    const from = Math.max(this.text.lastIndexOf('\n', offset - 1) + 1, offset - MAX_EXCERPT)
    const newline = this.text.indexOf('\n', offset)
    const line = this.text.slice(from, newline < 0 ? undefined : Math.min(newline, from + 2 * MAX_EXCERPT)).trim()
    return line.length > MAX_EXCERPT ? `${line.slice(0, MAX_EXCERPT - 1)}…` : line
  }

  get regions(): readonly Region[] {
    return (this.#regions ??= regionsOf(this.text))
  }

  isRead(line: number): boolean {
    const { start, end } = this.span(line)
    const region = this.regions.find((one) => one.start < end && start < one.end)
    if (!region) return false
    if (region.kind !== 'code' || textLanguages.has(region.language)) return true
    const { code } = this
    for (let at = 0; at < code.length; at++)
      if (code.kind(at) !== 0 && code.start(at) < end && start < code.end(at)) return true
    return false
  }

  get code(): Code {
    return (this.#code ??= new Code(
      this.text,
      this.regions.filter(({ kind, language }) => kind === 'code' && !codeless.has(language)),
    ))
  }

  *sentences(): Generator<Sentence> {
    for (const { kind, language, start, end } of this.regions)
      if (kind === 'prose' || (kind === 'code' && textLanguages.has(language)))
        yield* sentencesOf(this.text, start, end)
    const { code } = this
    for (let at = 0; at < code.length; at++) {
      const kind = code.kind(at)
      if ((kind === STRING || kind === TEMPLATE) && code.end(at) - code.start(at) > MIN_PROMPT && isPrompt(code, at))
        yield* sentencesOf(this.text, code.start(at), code.end(at))
    }
  }

  get front(): Region | undefined {
    const [first] = this.regions
    return first?.kind === 'front' ? first : undefined
  }
}

const MAX_EXCERPT = 160

const MIN_PROMPT = 15

function regionsOf(text: string): Region[] {
  const regions: Region[] = []
  let at = text.startsWith('\uFEFF') ? 1 : 0
  const front = /^---[ \t]*\r?\n/.exec(text.slice(at, at + 100))
  const frontEnd = front ? text.indexOf('\n---', at + front[0].length - 1) : -1
  if (front && frontEnd >= 0) {
    regions.push({ kind: 'front', start: at, end: frontEnd, language: '' })
    at = nextLine(text, frontEnd + 1)
  }
  const reader = new RegionReader(text, at)
  return [...regions, ...reader.read()]
}

function nextLine(text: string, at: number): number {
  const newline = text.indexOf('\n', at)
  return newline < 0 ? text.length : newline + 1
}

class RegionReader {
  readonly #regions: Region[] = []
  readonly #text: string
  #start: number
  #badLevel = 0
  #lead = ''
  #fence: { marks: string; language: string; start: number; isBad: boolean } | undefined

  constructor(text: string, start: number) {
    this.#text = text
    this.#start = start
  }

  read(): Region[] {
    const text = this.#text
    for (let at = this.#start, next: number; at < text.length; at = next) {
      next = nextLine(text, at)
      // Cut: no fence, heading or mark is longer.
      this.#line(text.slice(at, Math.min(next, at + 300)), at, next)
    }
    if (this.#fence) this.#close(text.length, text.length)
    else this.#prose(text.length)
    return this.#regions
  }

  #line(line: string, at: number, next: number): void {
    const first = line.trimStart()[0]
    if (first === undefined) return
    const [, marks, info = ''] = fenceStart.test(first) ? (fence.exec(line) ?? []) : []
    if (this.#fence) {
      if (marks?.startsWith(this.#fence.marks) && info.trim() === '') this.#close(at, next)
    } else if (marks !== undefined && !info.includes('`')) {
      this.#prose(at)
      const isBad = badLead.test(this.#lead) || (this.#badLevel > 0 && !goodLead.test(this.#lead))
      const language = /^\s*\{?\.?([\w+#-]*)/.exec(info)?.[1]?.toLowerCase() ?? ''
      this.#fence = { marks, language, start: next, isBad }
      this.#lead = ''
    } else {
      const [, hashes] = first === '#' ? (/^ {0,3}(#{1,6})[ \t]/.exec(line) ?? []) : []
      if (hashes !== undefined) this.#heading(line, hashes.length, at, next)
      this.#lead = line
    }
  }

  #heading(line: string, level: number, at: number, next: number): void {
    if (this.#badLevel > 0 && level > this.#badLevel) return
    this.#prose(at)
    this.#badLevel = badHeading.test(line) ? level : 0
    this.#start = this.#badLevel > 0 ? next : at
  }

  #prose(end: number): void {
    if (this.#badLevel === 0 && end > this.#start)
      this.#regions.push({ kind: 'prose', start: this.#start, end, language: '' })
    this.#start = end
  }

  #close(end: number, next: number): void {
    const fence = this.#fence
    this.#fence = undefined
    this.#start = next
    if (fence && !fence.isBad) this.#regions.push({ kind: 'code', start: fence.start, end, language: fence.language })
  }
}

const fenceStart = /^[`~*+\-\d]/
/** Three or more backticks or tildes, also in a list item. */
const fence = /^[ \t]*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?(`{3,}|~{3,})([^\n]*)/

const badHeading =
  /anti-?pattern|pitfall|common mistakes|what not to do|\bdon['’]?ts?\b|\b(?:things|patterns) to avoid|❌|\b(?:bad|wrong) (?:example|way|practice)/i
const badLead =
  /^[\s#>*_\-\d.)]*(?:❌|✗|✘|🚫|(?:bad|wrong|incorrect|avoid|anti-?pattern|don['’]?t|do not|never|not like this)\b)|\b(?:bad|wrong) (?:example|way|version|approach)\b|\b(?:instead of|rather than)(?: this)?\s*:\s*$|\bnot(?: do)? (?:this|like this)\s*[:.]?\s*$/i
const goodLead = /^[\s#>*_\-\d.)]*(?:✅|✓|✔|(?:good|right|correct|better|instead|do this)\b)/i
