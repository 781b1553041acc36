import { MAX_NAME_LENGTH, MAX_SCOPE_LENGTH, type ProgramLabel } from '@shared/c64/labels/programLabel'
import { AppError } from '@shared/contract/errors'
import { MAX_SEGMENTS } from '@shared/contract/labels'

export interface SourceLine {
  readonly file: string
  readonly line: number
  readonly start: number
  /** Exclusive. */
  readonly end: number
}

export interface Segment {
  readonly name: string
  readonly start: number
  /** Exclusive. */
  readonly end: number
}

export interface LabelFile {
  readonly labels: readonly ProgramLabel[]
  readonly lines: readonly SourceLine[]
  readonly segments: readonly Segment[]
  readonly problem: string | null
}

const MAX_LABELS = 200_000
const MAX_LINES = 500_000
const MAX_FILE_NAME_LENGTH = 1000

type Where = string | number

export class LabelCollector {
  readonly #labels: ProgramLabel[] = []
  readonly #lines: SourceLine[] = []
  readonly #segments: Segment[] = []
  #skipped = 0
  #firstProblem: string | null = null

  get isEmpty(): boolean {
    return this.#labels.length === 0 && this.#lines.length === 0
  }

  addLabel(label: ProgramLabel, where: Where): void {
    if (this.#labels.length >= MAX_LABELS) this.skip(where, `a file has ${MAX_LABELS} labels at most`)
    else if (!isAddress(label.address)) this.skip(where, 'expected an address from $0000 to $FFFF')
    else if (!isName(label.name, MAX_NAME_LENGTH) || (label.scope !== null && !isName(label.scope, MAX_SCOPE_LENGTH)))
      this.skip(where, `expected a name of at most ${MAX_NAME_LENGTH} characters`)
    else this.#labels.push(label)
  }

  addLine(line: SourceLine, where: Where): void {
    const { file, start, end } = line
    if (this.#lines.length >= MAX_LINES) this.skip(where, `a file has ${MAX_LINES} source lines at most`)
    else if (!isAddress(start) || end > 0x10000 || end <= start || !Number.isSafeInteger(line.line) || line.line < 1)
      this.skip(where, 'expected a source line with addresses from $0000 to $FFFF')
    else if (!isName(file, MAX_FILE_NAME_LENGTH)) this.skip(where, 'expected the name of a file')
    else this.#lines.push(line)
  }

  addSegment(segment: Segment, where: Where): void {
    const { name, start, end } = segment
    if (this.#segments.length >= MAX_SEGMENTS) this.skip(where, `a file has ${MAX_SEGMENTS} segments at most`)
    else if (!isAddress(start) || !Number.isSafeInteger(end) || end > 0x10000 || end <= start)
      this.skip(where, 'expected a segment with addresses from $0000 to $FFFF')
    else if (!isName(name, MAX_NAME_LENGTH))
      this.skip(where, `expected a name of at most ${MAX_NAME_LENGTH} characters`)
    else this.#segments.push(segment)
  }

  skip(where: Where, why: string): void {
    this.#skipped++
    this.#firstProblem ??= `${typeof where === 'number' ? `line ${where}` : where}: ${why}`
  }

  /** @throws AppError INVALID where there is nothing but problems */
  finish(title: string): LabelFile {
    const problem = this.#firstProblem
    if (this.isEmpty && problem !== null)
      throw new AppError('INVALID', `This is no complete ${title}: ${problem}.`, {
        hint: 'Build the program again, then load the file again.',
      })
    return {
      labels: this.#labels,
      lines: this.#lines,
      segments: this.#segments,
      problem:
        problem === null
          ? null
          : `${this.#skipped === 1 ? '1 entry was' : `${this.#skipped} entries were`} left out, the first at ${problem}.`,
    }
  }
}

const isAddress = (value: number): boolean => Number.isSafeInteger(value) && value >= 0 && value <= 0xffff

const isName = (text: string, max: number): boolean => text !== '' && text.length <= max && !/[\0-\x1f\x7f]/.test(text)

export function* linesOf(text: string): Generator<readonly [line: string, number: number]> {
  const separator = text.includes('\n') ? '\n' : '\r'
  let number = 1
  let start = 0
  while (start <= text.length) {
    const found = text.indexOf(separator, start)
    const end = found < 0 ? text.length : found
    yield [text.slice(start, text.charCodeAt(end - 1) === 13 && end > start ? end - 1 : end), number++]
    start = end + 1
  }
}

export function splitName(full: string, separator: string): Pick<ProgramLabel, 'name' | 'scope'> {
  const at = full.lastIndexOf(separator)
  if (at <= 0 || at + separator.length === full.length) return { name: full, scope: null }
  return { name: full.slice(at + separator.length), scope: full.slice(0, at).replaceAll(separator, '.') }
}
