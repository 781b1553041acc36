import { AppError, toFailure } from '../../contract/errors'
import { formatAddress } from '../address'
import { encode } from '../assembler'
import { readSourceLine, type Statement } from './sourceLine'
import { encodeText } from './sourceText'
import { sourceValue } from './sourceValue'

interface Assembled {
  /** A PRG file; the space between two origins is filled with 0. */
  readonly prg: Uint8Array<ArrayBuffer>
  readonly start: number
  /** Exclusive. */
  readonly end: number
  readonly labels: readonly { readonly name: string; readonly address: number }[]
  readonly lines: readonly { readonly line: number; readonly address: number; readonly length: number }[]
}

export interface SourceProblem {
  /** From 1. */
  readonly line: number
  readonly message: string
}

export type AssembledSource =
  | { readonly ok: true; readonly program: Assembled }
  | { readonly ok: false; readonly problems: readonly SourceProblem[] }

const MAX_LINES = 50_000
const MAX_PROBLEMS = 20
/** The most passes over a source: one whose labels still move by then never comes to rest. */
const MAX_PASSES = 8
const MEMORY = 0x10000
const BASIC_START = 0x0801
/** Size of a BASIC program with one SYS of five digits, bytes. */
const BASIC_LINE = 13

interface Item {
  readonly line: number
  readonly scope: string | null
  readonly label: string | null
  readonly statement: Statement | null
}

/**
 * A source without an origin gets a BASIC line at $0801 that starts it. Only the first twenty problems are reported.
 */
export function assembleSource(source: string): AssembledSource {
  const texts = source.split(/\r\n|\r|\n/)
  if (texts.length > MAX_LINES)
    return failed([{ line: MAX_LINES, message: `The source has more than ${MAX_LINES} lines.` }])
  const problems: SourceProblem[] = []
  const items = itemsOf(texts, problems)
  return new Assembly(items, problems).assemble()
}

const failed = (problems: readonly SourceProblem[]): AssembledSource => ({
  ok: false,
  problems: problems.toSorted((one, other) => one.line - other.line).slice(0, MAX_PROBLEMS),
})

function itemsOf(texts: readonly string[], problems: SourceProblem[]): Item[] {
  const items: Item[] = []
  let scope: string | null = null
  for (const [index, text] of texts.entries()) {
    const read = readSourceLine(text)
    const line = index + 1
    if ('unknown' in read)
      problems.push({ line, message: `“${read.unknown.slice(0, 40)}” is no instruction and no directive.` })
    const { label, statement } = 'unknown' in read ? { ...read, statement: null } : read
    if (label !== null && isGlobal(label)) scope = label
    if (label !== null || statement !== null) items.push({ line, scope, label, statement })
  }
  const hasOrigin = items.some(({ statement }) => statement?.kind === 'origin' || statement?.kind === 'start')
  const first = items.findIndex(({ statement }) => statement !== null && statement.kind !== 'constant')
  if (hasOrigin || first < 0) return items
  const begin = { line: 0, scope: null, label: null }
  const startsAt = String(BASIC_START + BASIC_LINE)
  return [
    { ...begin, statement: { kind: 'origin', value: `${BASIC_START}` } } as const,
    { ...begin, statement: { kind: 'start', at: startsAt } } as const,
    ...items,
  ]
}

interface Placed {
  readonly index: number
  readonly address: number
}

const isNameless = (label: string): boolean => /^[-+]+$/.test(label)
const isGlobal = (label: string): boolean => !isNameless(label) && !/^[.@_]/.test(label)

class Assembly {
  readonly #items: readonly Item[]
  readonly #unread: readonly SourceProblem[]
  #labels = new Map<string, number>()
  #nameless = new Map<string, readonly Placed[]>()
  #scoped = new Map<string, number | null>()
  /** Indices of instructions whose operand was not known at first: they keep the longer form. */
  readonly #long = new Set<number>()
  #problems: SourceProblem[] = []
  #memory = new Uint8Array(MEMORY)
  #isUsed = new Uint8Array(MEMORY)
  #lines: { line: number; address: number; length: number }[] = []

  constructor(items: readonly Item[], unread: readonly SourceProblem[]) {
    this.#items = items
    this.#unread = unread
  }

  assemble(): AssembledSource {
    this.#pass(true)
    for (let pass = 2; pass <= MAX_PASSES; pass++) {
      const before = this.#labels
      this.#pass(false)
      if (!isSame(before, this.#labels)) continue
      const problems = this.#allProblems
      return problems.length > 0 ? failed(problems) : this.#result()
    }
    const problems = this.#allProblems
    return failed(
      problems.length > 0 ? problems : [{ line: 1, message: 'Its labels move in each pass and never come to rest.' }],
    )
  }

  get #allProblems(): SourceProblem[] {
    return [...this.#unread, ...this.#problems]
  }

  #pass(isFirst: boolean): void {
    const before = this.#labels
    const defined = new Map<string, number>()
    this.#labels = new Map(before)
    this.#scoped = namesWithoutScope(before)
    this.#problems = []
    this.#lines = []
    this.#memory = new Uint8Array(MEMORY)
    this.#isUsed = new Uint8Array(MEMORY)
    const nameless = new Map<string, Placed[]>()
    let address = BASIC_START
    for (const [index, item] of this.#items.entries()) {
      if (this.#problems.length >= MAX_PROBLEMS) break
      try {
        if (item.label !== null && isNameless(item.label)) {
          const alike = nameless.get(item.label) ?? []
          alike.push({ index, address })
          nameless.set(item.label, alike)
        } else if (item.label !== null) this.#define(defined, nameIn(item.scope, item.label), address)
        if (item.statement)
          address = this.#place({ ...item, index, statement: item.statement }, address, defined, isFirst)
      } catch (error) {
        const { code, message } = toFailure(error)
        if (code !== 'INVALID') throw error
        this.#problems.push({ line: item.line, message })
      }
    }
    this.#labels = defined
    this.#nameless = nameless
  }

  #define(defined: Map<string, number>, name: string, value: number): void {
    if (defined.has(name)) throw new AppError('INVALID', `The label ${name} is there twice.`)
    defined.set(name, value)
    this.#labels.set(name, value)
  }

  #place(
    { statement, index, scope, line }: Item & { readonly index: number; readonly statement: Statement },
    address: number,
    defined: Map<string, number>,
    isFirst: boolean,
  ): number {
    const value = (text: string): number | null => this.#value(text, { address, index, scope, isFirst })
    const known = (text: string): number => value(text) ?? 0
    switch (statement.kind) {
      case 'constant': {
        const found = value(statement.value)
        if (found !== null) this.#define(defined, nameIn(scope, statement.name), found)
        return address
      }
      case 'origin':
        return withinMemory(required(value(statement.value), 'The origin'))
      case 'align': {
        const to = required(value(statement.to), 'What it is aligned to')
        if (to < 1 || to > MEMORY) throw new AppError('INVALID', 'It is aligned to 1 to 65536 bytes.')
        return withinMemory(Math.ceil(address / to) * to)
      }
      case 'instruction':
        return this.#put(line, address, this.#encode(statement.text, address, index, value))
      case 'bytes':
        return this.#put(
          line,
          address,
          statement.values.flatMap((text) => textIn(text, 'keys') ?? [byteOf(known(text))]),
        )
      case 'words':
        return this.#put(
          line,
          address,
          statement.values.flatMap((text) => wordOf(known(text))),
        )
      case 'text': {
        const bytes = statement.values.flatMap((text) => textIn(text, statement.encoding) ?? [byteOf(known(text))])
        return this.#put(line, address, statement.end === null ? bytes : [...bytes, statement.end])
      }
      case 'fill': {
        const count = required(value(statement.count), 'The number of bytes')
        if (count < 0 || count > MEMORY) throw new AppError('INVALID', 'It fills 0 to 65536 bytes.')
        return this.#put(line, address, Array<number>(count).fill(byteOf(known(statement.value))))
      }
      case 'start':
        return this.#put(line, address, basicStart(address, known(statement.at)))
    }
  }

  #encode(text: string, address: number, index: number, value: (text: string) => number | null): Uint8Array {
    return encode(text, address, (written) => {
      const found = value(written)
      if (found === null) this.#long.add(index)
      if (found !== null && (found < -0x8000 || found > 0xffff))
        throw new AppError('INVALID', `“${written.slice(0, 40)}” is outside $0000 to $FFFF.`)
      const isWritten = /^\$[0-9a-f]{3,4}$/i.test(written)
      const isByte = /^#/.test(text.replace(/^\S+\s*/, '')) || /^[<>]/.test(written)
      return {
        value: found === null ? null : found < 0 ? found & (isByte ? 0xff : 0xffff) : found,
        isLong: isWritten || (this.#long.has(index) && !isByte),
      }
    })
  }

  #value(
    text: string,
    { address, index, scope, isFirst }: { address: number; index: number; scope: string | null; isFirst: boolean },
  ): number | null {
    if (text.trim() === '') throw new AppError('INVALID', 'A value is missing.')
    if (isNameless(text.trim())) return this.#namelessAt(text.trim(), index, isFirst)
    return sourceValue(text, address, (name) => {
      const found = this.#labelNamed(name, scope)
      if (found !== null) return found
      if (isFirst) return null
      throw new AppError('INVALID', `There is no label ${name}.`)
    })
  }

  #labelNamed(name: string, scope: string | null): number | null {
    const own = this.#labels.get(nameIn(scope, name)) ?? this.#labels.get(name)
    if (own !== undefined) return own
    return this.#scoped.get(name) ?? null
  }

  #namelessAt(name: string, index: number, isFirst: boolean): number | null {
    const all = this.#nameless.get(name) ?? []
    const next = firstAfter(all, index)
    const found = all[name.startsWith('-') ? next - 1 : next]
    if (found) return found.address
    if (!isFirst)
      throw new AppError('INVALID', `There is no label ${name} ${name.startsWith('-') ? 'before' : 'after'} this line.`)
    return null
  }

  #put(line: number, address: number, bytes: ArrayLike<number>): number {
    const end = address + bytes.length
    withinMemory(end)
    for (let at = address; at < end; at++) {
      if (this.#isUsed[at] === 1) throw new AppError('INVALID', `Something stands at ${formatAddress(at)} already.`)
      this.#isUsed[at] = 1
      this.#memory[at] = bytes[at - address] ?? 0
    }
    if (bytes.length > 0 && line > 0) this.#lines.push({ line, address, length: bytes.length })
    return end
  }

  #result(): AssembledSource {
    const start = this.#isUsed.indexOf(1)
    if (start < 0) return failed([{ line: 1, message: 'The source makes no bytes.' }])
    const end = this.#isUsed.lastIndexOf(1) + 1
    const prg = new Uint8Array(end - start + 2)
    prg.set([start & 0xff, start >> 8])
    prg.set(this.#memory.subarray(start, end), 2)
    const labels = [...this.#labels].map(([name, address]) => ({ name: name.replace('/', ''), address }))
    return { ok: true, program: { prg, start, end, labels, lines: this.#lines } }
  }
}

function firstAfter(all: readonly Placed[], index: number): number {
  let low = 0
  let high = all.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((all[middle]?.index ?? 0) > index) high = middle
    else low = middle + 1
  }
  return low
}

function namesWithoutScope(labels: ReadonlyMap<string, number>): Map<string, number | null> {
  const names = new Map<string, number | null>()
  for (const [full, address] of labels) {
    const [scope, name] = full.split('/', 2)
    if (scope !== undefined && name !== undefined) names.set(name, names.has(name) ? null : address)
  }
  return names
}

const nameIn = (scope: string | null, label: string): string =>
  isGlobal(label) || scope === null ? label : `${scope}/${label}`

function isSame(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): boolean {
  return one.size === other.size && [...one].every(([name, value]) => other.get(name) === value)
}

function required(value: number | null, what: string): number {
  if (value === null) throw new AppError('INVALID', `${what} has to be known before this line.`)
  return value
}

function withinMemory(address: number): number {
  if (address >= 0 && address <= MEMORY) return address
  throw new AppError('INVALID', 'It goes past the end of memory ($FFFF).')
}

function byteOf(value: number): number {
  if (value < -128 || value > 255) throw new AppError('INVALID', `${value} is no byte: -128 to 255.`)
  return value & 0xff
}

function wordOf(value: number): [number, number] {
  if (value < -0x8000 || value > 0xffff) throw new AppError('INVALID', `${value} is no word: -32768 to 65535.`)
  return [value & 0xff, (value >> 8) & 0xff]
}

function textIn(written: string, encoding: Parameters<typeof encodeText>[1]): readonly number[] | null {
  const [, text] = /^"((?:[^"\\]|\\.)*)"$/s.exec(written) ?? []
  return text === undefined ? null : encodeText(text.replaceAll(/\\(.)/g, '$1'), encoding)
}

function basicStart(address: number, at: number): number[] {
  const digits = Array.from(String(at), (digit) => digit.charCodeAt(0))
  // The length must not depend on what is not known yet.
  const padded = [...Array<number>(Math.max(0, 5 - digits.length)).fill(0x20), ...digits]
  const next = address + 6 + padded.length
  return [...wordOf(next), 10, 0, 0x9e, ...padded, 0, 0, 0]
}
