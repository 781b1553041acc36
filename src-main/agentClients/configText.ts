/** What the formats of configuration files share. */
import { AppError } from '@shared/contract/errors'

export type Table = Readonly<Record<string, unknown>>

/** How a format is read and edited. */
export interface ConfigText {
  /** @throws AppError INVALID with the place of the fault */
  parse(text: string, file: string): unknown
  /** @param before what is there under that name; null for nothing. @param after null to take it out */
  edit(text: string, path: readonly [section: string, name: string], before: Table | null, after: Table | null): string
}

export const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)

export const refusal = (file: string, why: string): AppError =>
  new AppError('INVALID', `${file} was not changed: ${why}.`, {
    hint: 'Mend it with an editor, then try again.',
  })
