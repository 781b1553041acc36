import { strFromU8, strToU8 } from 'fflate'
import type { FormatProblem, ReadArtwork } from '../format'
import { artworksOfItems } from './artworksOfItems'
import { ByteList, type PlacedItem, type SourceItem } from './sourceItem'

const MAX_PROBLEMS = 50
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]
const NO_CHARACTER = '\ufffd'
const MAX_BYTES = 4_194_304
const MAX_ITEMS = 150_000

const BYTES =
  /^\s*(?:([A-Za-z_@][\w.@]*)(?:\s*:)?\s+|([A-Za-z_@.!][\w.@]*)\s*:\s*)?(?:[.!](?:byte|byt|by|bytes|char|08|8|b)|byte|dc\.b|db|defb|fcb)\s+(\S.*)$/i
const OTHER_DATA =
  /^\s*(?:\w+:?\s+)?([.!](?:word|wo|16|dword|fill|fi|text|tx|pet|scr|asc|null|binary|bin|incbin|import))\b/i
const LABEL = /^\s*([A-Za-z_@][\w.@]*)(?:\s*:)?\s*$/
const CONSTANT =
  /^\s*(?:#define\s+|\.(?:const|label|eval|var)\s+)?([A-Za-z_]\w*)(?:\s*:?=|\s)\s*(\$[0-9a-f]+|0x[0-9a-f]+|%[01]+|0b[01]+|\d+)\s*$/i
const ARRAY = /^[^"']*?\b([A-Za-z_]\w*)\s*(?:\[[^\][]*\]\s*)+=\s*\{(.*)$/
const BASIC_LINE = /^\s*\d+\s*(rem|data)(?![a-z])(.*)$/i

/** A text that is not UTF-8 is read byte by byte: what matters in it is ASCII. */
export function readSource(file: Uint8Array): ReadArtwork {
  // A byte order mark counts as spaces, so that offsets stay those of the file.
  const bytes = BYTE_ORDER_MARK.every((byte, at) => file[at] === byte) ? file.slice().fill(0x20, 0, 3) : file
  const text = strFromU8(bytes)
  return text.includes(NO_CHARACTER)
    ? new SourceReader(strFromU8(bytes, true), true).read()
    : new SourceReader(text).read()
}

class SourceReader {
  readonly #text: string
  readonly #items: PlacedItem[] = []
  readonly #problems: FormatProblem[] = []
  readonly #isByteForByte: boolean
  #depth = 0
  #bytes = 0
  #row: { readonly bytes: ByteList; readonly at: number } | null = null

  constructor(text: string, isByteForByte = /^[\0-\x7f]*$/.test(text)) {
    this.#text = text
    this.#isByteForByte = isByteForByte
  }

  read(): ReadArtwork {
    let isInComment = false
    for (const { 0: line, index } of this.#text.matchAll(/[^\r\n]+/g)) {
      if (isInComment || /^\s*\/\*/.test(line)) {
        isInComment = !line.includes('*/')
        continue
      }
      this.#line(line, index)
      if (this.#bytes > MAX_BYTES) {
        this.#problem(index, `Expected ${MAX_BYTES} bytes at most; the rest is left out.`)
        break
      }
      if (this.#items.length > MAX_ITEMS) {
        this.#problem(index, `Expected ${MAX_ITEMS} names and notes at most; the rest is left out.`)
        break
      }
    }
    this.#endRow()
    const { artworks, problems } = artworksOfItems(this.#items, this.#offset(this.#text.length))
    return { artworks, problems: [...this.#problems, ...problems].slice(0, MAX_PROBLEMS) }
  }

  #line(line: string, at: number): void {
    const basic = BASIC_LINE.exec(line)
    if (basic) {
      const [, word = '', rest = ''] = basic
      const start = at + line.length - rest.length
      if (word.toLowerCase() === 'data') this.#values(rest, start)
      else this.#remark(rest, start)
      return
    }
    const code = withoutComment(line)
    const comment = line.slice(code.length).replace(/^[;/]+\s?/, '')
    this.#code(withBlankComments(code), at)
    if (comment.trim() !== '') this.#add({ kind: 'note', text: comment.trim() }, at + code.length)
  }

  #code(code: string, at: number): void {
    if (code.trim() === '') return
    if (this.#depth > 0) {
      this.#array(code, at)
      return
    }
    const array = ARRAY.exec(code)
    if (array) {
      this.#depth = 1
      this.#add({ kind: 'label', name: array[1] ?? '' }, at)
      this.#array(array[2] ?? '', at + code.length - (array[2] ?? '').length)
      return
    }
    const found = BYTES.exec(code)
    if (found) {
      const name = found[1] ?? found[2]
      const values = found[3] ?? ''
      if (name !== undefined) this.#add({ kind: 'label', name }, at)
      this.#values(values, at + code.length - values.length)
      return
    }
    const other = OTHER_DATA.exec(code)
    if (other) {
      this.#problem(at + code.indexOf(other[1] ?? ''), `Expected bytes, found ${other[1] ?? ''}: these are left out.`)
      return
    }
    this.#named(code, at)
  }

  #array(code: string, at: number): void {
    let end = -1
    for (const { 0: bracket, index } of code.matchAll(/[{}]/g)) {
      this.#depth += bracket === '{' ? 1 : -1
      if (this.#depth > 0) continue
      end = index
      break
    }
    this.#values((end < 0 ? code : code.slice(0, end)).replace(/[{}]/g, ' '), at)
  }

  #named(code: string, at: number): boolean {
    const constant = CONSTANT.exec(code)
    if (constant) {
      this.#add({ kind: 'constant', name: constant[1] ?? '', value: numberOf(constant[2] ?? '') ?? 0 }, at)
      return true
    }
    const label = LABEL.exec(code)
    if (label) this.#add({ kind: 'label', name: label[1] ?? '' }, at)
    return label !== null
  }

  #remark(text: string, at: number): void {
    const isNamed = /^\s*\w+(?: = \d+|:)\s*$/.test(text)
    if (!isNamed || !this.#named(text, at)) this.#add({ kind: 'note', text: text.trim() }, at)
  }

  #values(text: string, at: number): void {
    const bytes = this.#row?.bytes ?? new ByteList()
    const before = bytes.length
    for (let from = 0; from < text.length && this.#bytes + bytes.length - before <= MAX_BYTES;) {
      const comma = text.indexOf(',', from)
      const end = comma < 0 ? text.length : comma
      const value = shortDecimal(text, from, end)
      if (value === null) this.#value(text.slice(from, end), at + from, bytes)
      else bytes.push(value)
      from = end + 1
    }
    this.#bytes += bytes.length - before
    if (bytes.length > 0) this.#row ??= { bytes, at: this.#offset(at) }
  }

  #value(part: string, at: number, bytes: ByteList): void {
    const written = part.trim()
    if (written === '') return
    const value = numberOf(written)
    if (value === null || value > 0xff)
      this.#problem(at + part.indexOf(written), `Expected a byte, 0 to 255, found “${written.slice(0, 40)}”.`)
    bytes.push(value === null || value > 0xff ? 0 : value)
  }

  #add(item: SourceItem, at: number): void {
    this.#endRow()
    this.#items.push({ ...item, offset: this.#offset(at) })
  }

  #endRow(): void {
    if (this.#row)
      this.#items.push({ kind: 'row', bytes: this.#row.bytes.whole(), arePixels: false, offset: this.#row.at })
    this.#row = null
  }

  #problem(at: number, text: string): void {
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push({ offset: this.#offset(at), text })
  }

  #known = { at: 0, offset: 0 }
  /** Byte offset of a position; positions must not decrease, so that all calls together take linear time. */
  #offset(at: number): number {
    if (this.#isByteForByte) return at
    if (at < this.#known.at) this.#known = { at: 0, offset: 0 }
    const { length } = strToU8(this.#text.slice(this.#known.at, at))
    this.#known = { at, offset: this.#known.offset + length }
    return this.#known.offset
  }
}

function shortDecimal(text: string, from: number, end: number): number | null {
  if (end === from || end - from > 3) return null
  let value = 0
  for (let at = from; at < end; at++) {
    const digit = text.charCodeAt(at) - 0x30
    if (digit < 0 || digit > 9) return null
    value = value * 10 + digit
  }
  return value > 0xff ? null : value
}

/**
 * Cuts from `;` or `//` on, outside of texts; an unclosed quote begins no text. Linear in time, as lines may be long.
 */
function withoutComment(line: string): string {
  let quote = ''
  let first = -1
  for (let at = 0; at < line.length; at++) {
    const character = line[at] ?? ''
    const isComment = character === ';' || (character === '/' && line[at + 1] === '/')
    if (isComment && quote === '') return line.slice(0, at)
    if (isComment && first < 0) first = at
    if (quote !== '' && character === '\\') at++
    else if (character === quote) [quote, first] = ['', -1]
    else if (quote === '' && (character === '"' || character === "'")) quote = character
  }
  return quote === '' || first < 0 ? line : line.slice(0, first)
}

function withBlankComments(code: string): string {
  let rest = code
  let blank = ''
  for (;;) {
    const start = rest.indexOf('/*')
    const end = start < 0 ? -1 : rest.indexOf('*/', start + 2)
    if (end < 0) return blank + rest
    blank += rest.slice(0, start) + ' '.repeat(end + 2 - start)
    rest = rest.slice(end + 2)
  }
}

function numberOf(written: string): number | null {
  const [, hex, binary, decimal, pixels] =
    /^(?:(?:\$|0x)([0-9a-f]{1,8})|(?:%|0b)([01]{1,32})|(\d{1,9})|%([.#]{1,32}))$/i.exec(written) ?? []
  if (hex !== undefined) return parseInt(hex, 16)
  if (binary !== undefined) return parseInt(binary, 2)
  if (decimal !== undefined) return Number(decimal)
  return pixels === undefined ? null : parseInt(pixels.replaceAll('.', '0').replaceAll('#', '1'), 2)
}
