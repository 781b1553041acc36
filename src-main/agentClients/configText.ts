import { AppError } from '@shared/contract/errors'

export type Table = Readonly<Record<string, unknown>>

export interface ConfigText {
  /** @throws AppError INVALID with the place of the fault */
  parse(text: string, file: string): unknown
  /**
   * @param before null where nothing has that name
   * @param after null to remove it
   */
  edit(text: string, path: readonly [section: string, name: string], before: Table | null, after: Table | null): string
}

export const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)

export const refusal = (file: string, why: string): AppError =>
  new AppError('INVALID', `${file} was not changed: ${why}.`, {
    hint: 'Mend it with an editor, then try again.',
  })
