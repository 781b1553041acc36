import { z } from 'zod'

export const MAX_LINE_CHARACTERS = 500
export const MAX_TEXT_CHARACTERS = 20_000
export const MAX_LIST_ENTRIES = 500

const line = z.string().max(MAX_LINE_CHARACTERS)

export const sourceSchema = z.strictObject({
  /** As found in the file; opened by `projects.file`, which stays within the project. */
  file: z.string().max(1000),
  /** RFC 6901. */
  pointer: z.string().max(1000).optional(),
  /** From 1. */
  line: z.int().min(1).optional(),
})
export type ValueSource = Readonly<z.infer<typeof sourceSchema>>

/** A `value` of `null` is unknown; a `source` of `null` means that it is in no file. */
export interface Fact<Value> {
  readonly value: Value | null
  readonly source: ValueSource | null
  /** As written in the file, where that differs from the value: `halted`, `"01"`, `0.00`. */
  readonly written?: string | undefined
}
export const fact = <Value extends z.ZodType>(value: Value) =>
  z.strictObject({ value: value.nullable(), source: sourceSchema.nullable(), written: line.optional() })
