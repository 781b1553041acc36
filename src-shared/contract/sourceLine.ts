import { z } from 'zod'

const MAX_SOURCE_LINES = 10_000_000
const MAX_SOURCE_NAME_LENGTH = 1000
export const shownText = /^\P{Cc}*$/u
export const shownPath = z.string().min(1).max(4096).regex(shownText)

export const sourceNameSchema = z.strictObject({
  debugFile: shownPath,
  file: z.string().min(1).max(MAX_SOURCE_NAME_LENGTH).regex(shownText),
})
export type SourceName = z.infer<typeof sourceNameSchema>

export const sourceLineNumber = z.int().min(1).max(MAX_SOURCE_LINES)
export const sourceLineSchema = sourceNameSchema.extend({ line: sourceLineNumber })
