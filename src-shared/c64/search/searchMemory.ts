import { parseAddress, type AddressRange } from '../address'
import { addressingMode, disassemble } from '../disassembler'
import { builtInNames, type Names } from '../labels/names'
import { exactly, fitsAt, parseBytePattern, type BytePattern } from './bytePattern'
import { fittingInstructions, parseInstructionPattern } from './instructionPattern'
import { hasText, textCodes, textPattern, type TextCode } from './textPatterns'

export const searchKinds = ['bytes', 'text', 'petscii', 'screen', 'ascii', 'word', 'pointer', 'instruction'] as const
export type SearchKind = (typeof searchKinds)[number]

export const MAX_SHOWN_BYTES = 16

interface SearchMatch {
  readonly address: number
  readonly length: number
  readonly bytes: Uint8Array
  readonly what: string | null
}

export interface SearchResult {
  readonly matches: SearchMatch[]
  readonly total: number
}

/** Memory from `start` on; at most 64 KiB. */
export interface MemoryPart {
  readonly start: number
  readonly bytes: Uint8Array
}

const codeTitles: Readonly<Record<TextCode, string>> = { petscii: 'PETSCII', screen: 'screen codes', ascii: 'ASCII' }

type Finder = (offset: number) => Pick<SearchMatch, 'length' | 'what'> | null

/** Throws INVALID for a query that does not read. */
export function checkQuery({ kind, query }: { readonly kind: SearchKind; readonly query: string }, names: Names): void {
  finderOf(kind, query, { start: 0, bytes: new Uint8Array(0) }, names)
}

/**
 * Every match, overlapping ones too. A match that begins in a range may go on behind it. Throws INVALID for a query
 * that cannot be read.
 * @param maxMatches how many are listed; the rest is counted
 * @param names that words, pointers and operands may have
 */
export function searchMemory(
  memory: MemoryPart,
  { kind, query, range }: { readonly kind: SearchKind; readonly query: string; readonly range: AddressRange },
  maxMatches: number,
  names: Names = builtInNames,
): SearchResult {
  const find = finderOf(kind, query, memory, names)
  const matches: SearchMatch[] = []
  let total = 0
  const first = Math.max(range.start, memory.start) - memory.start
  const end = Math.min(range.end - memory.start, memory.bytes.length)
  for (let offset = first; offset < end; offset++) {
    const found = find(offset)
    if (!found) continue
    total++
    if (matches.length === maxMatches) continue
    const bytes = memory.bytes.slice(offset, offset + Math.min(found.length, MAX_SHOWN_BYTES))
    matches.push({ address: memory.start + offset, bytes, ...found })
  }
  return { matches, total }
}

function finderOf(kind: SearchKind, query: string, memory: MemoryPart, names: Names): Finder {
  const { bytes, start } = memory
  switch (kind) {
    case 'bytes':
      return patternFinder(bytes, parseBytePattern(query))
    case 'text':
      return anyTextFinder(bytes, query)
    case 'petscii':
    case 'screen':
    case 'ascii':
      return patternFinder(bytes, textPattern(query, kind))
    case 'word':
      return patternFinder(bytes, wordPattern(parseAddress(query, names)))
    case 'pointer':
      return pointerFinder(memory, parseAddress(query, names))
    case 'instruction': {
      const pattern = parseInstructionPattern(query, names)
      const read = (address: number): number => bytes[address - start] ?? 0
      return (offset) => {
        const instructions = fittingInstructions(read, start + offset, pattern)
        if (!instructions) return null
        const length = instructions.reduce((sum, instruction) => sum + instruction.length, 0)
        if (offset + length > bytes.length) return null
        return { length, what: instructions.map(({ text }) => text).join(' : ') }
      }
    }
  }
}

const wordPattern = (word: number): BytePattern => [exactly(word & 0xff), exactly(word >> 8)]

const patternFinder =
  (bytes: Uint8Array, pattern: BytePattern, what: string | null = null): Finder =>
  (offset) =>
    fitsAt(bytes, offset, pattern) ? { length: pattern.length, what } : null

/** A code that lacks one of the text's characters is left out. */
function anyTextFinder(bytes: Uint8Array, text: string): Finder {
  const codes = textCodes.filter((code) => hasText(text, code))
  const finders = (codes.length > 0 ? codes : ['petscii' as const]).map((code) =>
    patternFinder(bytes, textPattern(text, code), codeTitles[code]),
  )
  return (offset) => {
    for (const find of finders) {
      const found = find(offset)
      if (found) return found
    }
    return null
  }
}

function pointerFinder({ bytes, start }: MemoryPart, address: number): Finder {
  const isWord = patternFinder(bytes, wordPattern(address))
  const read = (at: number): number => bytes[at - start] ?? 0
  return (offset) => {
    if (addressingMode(bytes[offset] ?? 0) === 'rel' && offset + 1 < bytes.length) {
      const branch = disassemble(read, start + offset)
      if (branch.target === address) return { length: 2, what: branch.text }
    }
    const word = isWord(offset)
    if (!word || offset === 0) return word
    const holder = disassemble(read, start + offset - 1)
    return { ...word, what: holder.length === 3 ? `operand of ${holder.text}` : null }
  }
}
