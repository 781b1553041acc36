import { AppError } from '../../contract/errors'
import type { Artwork } from '../artwork'
import type { FormatProblem, ReadArtwork } from '../format'

/** The most problems reported of a file; a damaged one may have one in every byte. */
const MAX_PROBLEMS = 20

export class Problems {
  readonly all: FormatProblem[] = []
  readonly notes: FormatProblem[] = []

  add(offset: number, text: string): void {
    if (!this.isFull) this.all.push({ offset, text })
  }

  note(offset: number, text: string): void {
    if (!this.areNotesFull) this.notes.push({ offset, text })
  }

  with(artworks: readonly Artwork[]): ReadArtwork {
    return { artworks, problems: this.all, ...(this.notes.length > 0 ? { notes: this.notes } : {}) }
  }

  get areNotesFull(): boolean {
    return this.notes.length >= MAX_PROBLEMS
  }

  get isFull(): boolean {
    return this.all.length >= MAX_PROBLEMS
  }
}

/** Reads from front to back. A missing end is noted once, and reads as null. */
export class ByteReader {
  at = 0
  hasEnded = false

  readonly file: Uint8Array
  readonly problems: Problems

  constructor(file: Uint8Array, problems: Problems) {
    this.file = file
    this.problems = problems
  }

  get left(): number {
    return this.file.length - this.at
  }

  bytes(length: number, what: string): Uint8Array | null {
    if (length <= this.left) return this.file.slice(this.at, (this.at += length))
    this.#end(length, what)
    return null
  }

  pieces(count: number, size: number, what: string): Uint8Array {
    const whole = Math.min(count, Math.floor(this.left / size))
    const bytes = this.file.slice(this.at, (this.at += whole * size))
    if (whole < count) this.#end((count - whole) * size, what)
    return bytes
  }

  byte(what: string): number | null {
    return this.bytes(1, what)?.[0] ?? null
  }

  word(what: string): number | null {
    const bytes = this.bytes(2, what)
    return bytes === null ? null : wordAt(bytes, 0)
  }

  #end(length: number, what: string): void {
    if (!this.hasEnded)
      this.problems.add(this.at, `Expected ${counted(length)} of ${what}, found ${counted(this.left)} before the end.`)
    this.hasEnded = true
  }
}

export const counted = (count: number): string => (count === 1 ? '1 byte' : `${count} bytes`)

/** Little-endian; missing bytes count as 0. */
export const wordAt = (bytes: Uint8Array, at: number): number => (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8)

export const lowHigh = (word: number): number[] => [word & 0xff, word >> 8]

export function joined(parts: readonly (Uint8Array | readonly number[])[]): Uint8Array {
  const file = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    file.set(part, at)
    at += part.length
  }
  return file
}

export const hasSignature = (file: Uint8Array, signature: string): boolean =>
  file.length >= signature.length && Array.from(signature).every((letter, at) => file[at] === letter.charCodeAt(0))

export const cannotHold = (reason: string): AppError => new AppError('INVALID', reason)
