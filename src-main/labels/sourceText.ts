import { basename, dirname } from 'node:path'
import type { SourceName } from '@shared/contract/labels'
import { findSource, readSourceText } from '../files/sourceFile'

/** Where a source lies that a debug file names. @throws AppError NOT_FOUND or FORBIDDEN */
export const locate = ({ debugFile, file }: SourceName, roots: readonly string[]): Promise<string> =>
  findSource(file, { folder: dirname(debugFile), beside: basename(debugFile), roots })

/** @throws AppError NOT_FOUND, FORBIDDEN or INVALID */
export const sourceTextOf = async (source: SourceName, roots: readonly string[]): Promise<string> =>
  readSourceText(await locate(source, roots))
