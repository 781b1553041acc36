/** Skips a row whose bytes were damaged, which SQLite does not notice. */
import { z } from 'zod'
import { storedJson } from '@shared/storedJson'

export const readableRows = <T>(schema: z.ZodType<T>, rows: readonly unknown[]): T[] =>
  rows.flatMap((row) => {
    const { success, data } = schema.safeParse(row)
    return success ? [data] : []
  })

export const readableRow = <T>(schema: z.ZodType<T>, row: unknown): T | undefined => schema.safeParse(row).data

export const jsonColumn = <T>(schema: z.ZodType<T>) =>
  z.string().transform((text, context): T => {
    const value = storedJson(text, schema)
    if (value !== undefined) return value
    context.addIssue('not the JSON that was written')
    return z.NEVER
  })
