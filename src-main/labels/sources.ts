/**
 * Security: source names are untrusted. Only files in the debug file's own folder or repository, or in a trusted folder
 * that is built, are read.
 */
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Input, Output } from '@shared/contract/contract'
import { AppError } from '@shared/contract/errors'
import { MAX_SOURCE_CODE, MAX_SOURCES } from '@shared/contract/labels'
import type { SourceName } from '@shared/contract/sourceLine'
import { readSourceText } from '../files/sourceFile'
import type { Labels } from './labels'
import { locate } from './sourceText'

export interface SourcesOf {
  readonly labels: Pick<Labels, 'ask'>
  readonly trustedRoots: () => readonly string[]
}

export async function listSources(
  { labels, trustedRoots }: SourcesOf,
  machine: string,
): Promise<Output<'labels.sources'>['sources']> {
  const named = await labels.ask('sources', machine, { machine, limit: MAX_SOURCES })
  const roots = trustedRoots()
  const sources = []
  for (const source of named) sources.push({ ...source, isFound: await isFound(source, roots) })
  return sources.sort((a, b) => Number(b.isFound) - Number(a.isFound))
}

const isFound = (source: SourceName, roots: readonly string[]): Promise<boolean> =>
  locate(source, roots).then(
    () => true,
    () => false,
  )

/** Starts at the innermost source that exists: compilers delete their own files. */
export async function sourceAt(
  { labels, trustedRoots }: SourcesOf,
  input: Input<'labels.sourceAt'>,
): Promise<Output<'labels.sourceAt'>['at']> {
  const found = await labels.ask('sourcesAt', input.machine, input)
  const roots = trustedRoots()
  for (const each of found) if (await isFound(each, roots)) return each
  return found[0] ?? null
}

/** @throws AppError NOT_FOUND, FORBIDDEN or INVALID */
export async function readSource(
  { labels, trustedRoots }: SourcesOf,
  { machine, ...source }: Input<'labels.source'>,
): Promise<Output<'labels.source'>> {
  const code = await labels.ask('sourceCode', machine, { machine, ...source, limit: MAX_SOURCE_CODE })
  if (code === null)
    throw new AppError('NOT_FOUND', `The loaded debug files do not name ${source.file}.`, {
      hint: 'Load the debug file of this build.',
    })
  const place = await locate(source, trustedRoots())
  const text = await readSourceText(place)
  const [written, built] = await Promise.all([stat(place), stat(source.debugFile).catch(() => null)])
  const isNewer = built !== null && written.mtimeMs > built.mtimeMs
  const problem = isNewer
    ? `${basename(place)} was changed after the build, so lines may be wrong. Build it again.`
    : null
  return { place, text, code, problem }
}
