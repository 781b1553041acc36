/** Rows as their readers want them. One whose bytes were damaged, which SQLite does not notice, stands in nobody's way. */
import { z } from 'zod'
import { storedJson } from '@shared/storedJson'

/** Those that can be read. */
export const readableRows = <T>(schema: z.ZodType<T>, rows: readonly unknown[]): T[] =>
  rows.flatMap((row) => {
    const { success, data } = schema.safeParse(row)
    return success ? [data] : []
  })

/** Undefined also where it cannot be read. */
export const readableRow = <T>(schema: z.ZodType<T>, row: unknown): T | undefined => schema.safeParse(row).data

/** A column that holds a value as JSON. */
export const jsonColumn = <T>(schema: z.ZodType<T>) =>
  z.string().transform((text, context): T => {
    const value = storedJson(text, schema)
    if (value !== undefined) return value
    context.addIssue('not the JSON that was written')
    return z.NEVER
  })
