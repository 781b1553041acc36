import { basename, dirname } from 'node:path'
import type { SourceName } from '@shared/contract/sourceLine'
import { findSource, readSourceText } from '../files/sourceFile'

/** @throws AppError NOT_FOUND or FORBIDDEN */
export const locate = ({ debugFile, file }: SourceName, roots: readonly string[]): Promise<string> =>
  findSource(file, { folder: dirname(debugFile), beside: basename(debugFile), roots })

/** @throws AppError NOT_FOUND, FORBIDDEN or INVALID */
export async function sourceTextOf(
  source: SourceName,
  roots: readonly string[],
  signal?: AbortSignal,
): Promise<string> {
  const place = await locate(source, roots)
  signal?.throwIfAborted()
  return readSourceText(place)
}
