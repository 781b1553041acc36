import { AppError } from '@shared/contract/errors'
import type { Json } from '@shared/json'
import type { FileChange } from './action'
import { applyEdits, type TextEdit } from '../finding'
import type { RunFiles } from '../format'
import { readFrontMatter } from '../text/frontMatter'
import type { LocatedDocument, Scalar } from '../text/located'
import { parseLocatedJson } from '../text/locatedJson'
import { parseLocatedYaml } from '../text/locatedYaml'
import { isEntry, spliceJson, spliceYaml, type Entry, type Path } from '../text/splice'
import { StateText } from '../text/stateFile'

interface Bytes {
  readonly bytes: string
}
type Content = string | Bytes | null

export class Draft {
  readonly #files: RunFiles
  readonly #contents = new Map<string, Content>()
  readonly #likes = new Map<string, string>()
  readonly #moved = new Map<string, string>()

  constructor(files: RunFiles) {
    this.#files = files
  }

  /** @throws AppError CONFLICT when the file cannot be read as text, NOT_FOUND when there is none */
  text(file: string): StateText {
    const content = this.#content(file)
    if (content === null) throw new AppError('NOT_FOUND', `There is no file ${file}.`)
    if (isBytes(content)) throw notText(file)
    return new StateText(file, content)
  }

  /** @throws AppError CONFLICT when either cannot be read */
  isSame(one: string, other: string): boolean {
    return base64Of(this.#content(one)) === base64Of(this.#content(other))
  }

  has(file: string): boolean {
    return this.#contents.has(file) ? this.#contents.get(file) !== null : this.#files.listing.hasFile(file)
  }

  edit(file: string, edits: readonly TextEdit[]): void {
    if (edits.length > 0) this.#contents.set(file, applyEdits(this.text(file).text, edits))
  }

  /**
   * `null` removes the file.
   * @param like the file whose mode a new one gets
   */
  write(file: string, text: string | null, like?: string): void {
    if (!this.#contents.has(file) && isBytes(this.#before(file)) && text !== null) throw notText(file)
    this.#contents.set(file, text)
    if (like !== undefined) this.#likes.set(file, like)
  }

  /**
   * A new file keeps the mode.
   * @throws AppError CONFLICT when it cannot be read, NOT_FOUND when there is none
   */
  copy(from: string, to: string): void {
    const content = this.#content(from)
    if (content === null) throw new AppError('NOT_FOUND', `There is no file ${from}.`)
    this.#before(to)
    this.#contents.set(to, content)
    this.#likes.set(to, from)
  }

  move(from: string, to: string): void {
    const { text } = this.text(from)
    this.write(to, text)
    this.write(from, null)
    this.#moved.set(to, from)
  }

  json(file: string, path: Path, value: Json | undefined): void {
    const document = sound(parseLocatedJson(this.text(file)))
    this.edit(file, spliceJson(document, path, value))
  }

  yaml(file: string, path: Path, value: Scalar | undefined): void {
    this.edit(file, spliceYaml(sound(parseLocatedYaml(this.text(file))), path, value))
  }

  /** New entries need {@link spliceYaml}. */
  front(file: string, path: Path, value: Scalar | readonly string[] | Entry | undefined): void {
    const { document, syntax } = readFrontMatter(this.text(file))
    if (syntax === 'none')
      throw new AppError('CONFLICT', `${file} has no front matter.`, {
        hint: 'Add it in an editor: values between two lines of ---.',
      })
    sound(document)
    this.edit(file, syntax === 'json' ? spliceJson(document, path, jsonOf(value)) : spliceYaml(document, path, value))
  }

  get changes(): FileChange[] {
    const changeOf = (file: string): FileChange => {
      const [before, like] = [this.#before(file), this.#likes.get(file)]
      const change = changeBetween(file, before, this.#contents.get(file) ?? null)
      return before === null && like !== undefined ? { ...change, like } : change
    }
    const sources = new Set(this.#moved.values())
    return [...this.#contents.keys()]
      .filter((file) => !sources.has(file))
      .flatMap((file) => {
        const from = this.#moved.get(file)
        // A moved file is written at its new place before it is removed from the old one.
        return from === undefined ? [changeOf(file)] : [{ ...changeOf(file), from }, changeOf(from)]
      })
      .filter(({ before, after }) => before !== after)
  }

  #content(file: string): Content {
    return this.#contents.has(file) ? (this.#contents.get(file) ?? null) : this.#before(file)
  }

  #before(file: string): Content {
    const known = this.#files.files.get(file)
    if (!known && !this.#files.listing.hasFile(file)) return null
    if (typeof known?.text === 'string' && known.findings.length === 0) return known.text
    if (known?.bytes !== undefined) return { bytes: known.bytes }
    throw notText(file)
  }
}

const notText = (file: string): AppError =>
  new AppError('CONFLICT', `${file} cannot be read as text.`, { hint: 'See its findings and fix it in an editor.' })

const isBytes = (content: Content): content is Bytes => typeof content === 'object' && content !== null

const changeBetween = (file: string, before: Content, after: Content): FileChange =>
  isBytes(before) || isBytes(after)
    ? { file, before: base64Of(before), after: base64Of(after), encoding: 'base64' }
    : { file, before, after }

const base64Of = (content: Content): string | null =>
  typeof content === 'string' ? Buffer.from(content).toString('base64') : (content?.bytes ?? null)

function jsonOf(value: Scalar | readonly string[] | Entry | undefined): Json | undefined {
  if (typeof value !== 'object' || value === null) return value
  return isEntry(value) ? { ...value } : [...value]
}

function sound(document: LocatedDocument): LocatedDocument {
  const problem = document.findings.find(({ severity, rule }) => severity === 'error' || rule === 'file/duplicate-key')
  if (!problem) return document
  throw new AppError(
    'CONFLICT',
    `${document.file} must be fixed first: line ${problem.line} has ${problem.found}; expected ${problem.expected}.`,
    {
      hint: 'Fix it in an editor, then try again.',
    },
  )
}
