import { strFromU8, strToU8 } from 'fflate'
import type { z } from 'zod'
import { findJsonError, offsetOf, type Json } from '../../json'
import type { Problems } from './readBytes'

const MAX_JSON_BYTES = 64 * 1024 * 1024

export class JsonFile {
  readonly text: string
  readonly value: Json | undefined
  readonly #problems: Problems
  readonly #length: number

  constructor(file: Uint8Array, problems: Problems) {
    this.#problems = problems
    this.#length = file.length
    this.text = file.length > MAX_JSON_BYTES ? '' : strFromU8(file)
    if (file.length > MAX_JSON_BYTES)
      problems.add(0, `Expected up to ${MAX_JSON_BYTES} bytes of JSON, found ${file.length}.`)
    else this.value = this.#parse()
  }

  read<T>(value: unknown, schema: z.ZodType<T>, path: readonly (string | number)[]): T | null {
    const parsed = schema.safeParse(value)
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    const inner = (issue?.path ?? []).filter((step) => typeof step !== 'symbol')
    const where = [...path, ...inner]
    this.add(where, `${where.join('.')}: ${issue?.message ?? 'not as expected'}.`)
    return null
  }

  add(path: readonly (string | number)[], text: string): void {
    if (!this.#problems.isFull) this.#problems.add(this.#byteOf(offsetOf(this.text, path)), text)
  }

  note(path: readonly (string | number)[], text: string): void {
    if (!this.#problems.areNotesFull) this.#problems.note(this.#byteOf(offsetOf(this.text, path)), text)
  }

  #parse(): Json | undefined {
    try {
      return JSON.parse(this.text) as Json
    } catch {
      const { offset, expected } = findJsonError(this.text)
      const found = this.text.slice(offset, offset + 10)
      this.#problems.add(
        this.#byteOf(offset),
        `Expected ${expected}, found ${found === '' ? 'the end of the file' : JSON.stringify(found)}.`,
      )
      return undefined
    }
  }

  #byteOf(offset: number): number {
    return Math.min(strToU8(this.text.slice(0, offset)).length, this.#length)
  }
}
