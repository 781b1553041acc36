/** Values out of files with the place that they were read from, and how much of them crosses to the window. */
import { z } from 'zod'

/** A title or another value in a line. */
export const MAX_LINE_CHARACTERS = 500
/** Text that is read as a whole, such as a question. */
export const MAX_TEXT_CHARACTERS = 20_000
/** Of each list of a run, such as errors. The rest is counted. */
export const MAX_LIST_ENTRIES = 500

const line = z.string().max(MAX_LINE_CHARACTERS)

export const sourceSchema = z.strictObject({
  /** As it was found: shown, and opened by `projects.file`, which keeps to the project. */
  file: z.string().max(1000),
  /** RFC 6901. */
  pointer: z.string().max(1000).optional(),
  /** From 1. */
  line: z.int().min(1).optional(),
})
export type ValueSource = Readonly<z.infer<typeof sourceSchema>>

/** A value and where it was read. A `value` of `null` is unknown; a `source` of `null` is in no file. */
export interface Fact<Value> {
  readonly value: Value | null
  readonly source: ValueSource | null
  /** As it stands in the file, where that is not the value itself: `halted`, `"01"`, `0.00`. */
  readonly written?: string | undefined
}
export const fact = <Value extends z.ZodType>(value: Value) =>
  z.strictObject({ value: value.nullable(), source: sourceSchema.nullable(), written: line.optional() })
