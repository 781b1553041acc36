/** The source files that debug files name. They are untrusted: only what lies in the debug file's own folder or repository is read. */
import { realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, resolve } from 'node:path'
import type { Input, Output } from '@shared/contract/contract'
import { AppError } from '@shared/contract/errors'
import { MAX_SOURCE_BYTES, MAX_SOURCE_CODE, MAX_SOURCES, type SourceName } from '@shared/contract/labels'
import { isInside } from '../files/containedPath'
import { readBounded } from '../files/readBounded'
import type { Labels } from './labels'

/** Those that can be read first. */
export async function listSources(
  labels: Pick<Labels, 'ask'>,
  machine: string,
): Promise<Output<'labels.sources'>['sources']> {
  const named = await labels.ask('sources', machine, { machine, limit: MAX_SOURCES })
  const sources = []
  for (const source of named) sources.push({ ...source, isFound: await isFound(source) })
  return sources.sort((a, b) => Number(b.isFound) - Number(a.isFound))
}

const isFound = (source: SourceName): Promise<boolean> =>
  findSource(source).then(
    () => true,
    () => false,
  )

/** The line that made the byte at an address, of the innermost source that is there: compilers delete their own files. */
export async function sourceAt(
  labels: Pick<Labels, 'ask'>,
  input: Input<'labels.sourceAt'>,
): Promise<Output<'labels.sourceAt'>['at']> {
  const found = await labels.ask('sourcesAt', input.machine, input)
  for (const each of found) if (await isFound(each)) return each
  return found[0] ?? null
}

/** @throws AppError NOT_FOUND, FORBIDDEN or INVALID */
export async function readSource(
  labels: Pick<Labels, 'ask'>,
  { machine, ...source }: Input<'labels.source'>,
): Promise<Output<'labels.source'>> {
  const code = await labels.ask('sourceCode', machine, { machine, ...source, limit: MAX_SOURCE_CODE })
  if (code === null)
    throw new AppError('NOT_FOUND', `The loaded debug files do not name ${source.file}.`, {
      hint: 'Load the debug file of this build.',
    })
  const place = await findSource(source)
  const name = basename(place)
  const bytes = await readBounded(place, MAX_SOURCE_BYTES)
  if (bytes.includes(0)) throw new AppError('INVALID', `${name} is no text: it has bytes that are 0.`)
  const [written, built] = await Promise.all([stat(place), stat(source.debugFile).catch(() => null)])
  const isNewer = built !== null && written.mtimeMs > built.mtimeMs
  const problem = isNewer ? `${name} was changed after the build, so lines may be wrong. Build it again.` : null
  return { place, text: new TextDecoder().decode(bytes), code, problem }
}

/**
 * Where a source lies: from the debug file's folder, or from one above it in the same repository, as builds name sources from the
 * folder in which they were started. Of a path of another computer the name alone is looked for.
 */
async function findSource({ debugFile, file }: SourceName): Promise<string> {
  const folder = await realpath(dirname(debugFile)).catch(() => dirname(debugFile))
  const root = await repositoryAround(folder)
  const name = file.replaceAll('\\', '/')
  const candidates = isAbsolute(name) || /^[a-z]:/i.test(name) ? [name, resolve(folder, basename(name))] : []
  if (candidates.length === 0)
    for (let at = folder; isInside(root, at); at = dirname(at)) {
      candidates.push(resolve(at, name))
      if (at === dirname(at)) break
    }
  let outside = false
  for (const candidate of candidates) {
    const found = await realpath(candidate).catch(() => null)
    if (found !== null && isInside(root, found)) return found
    outside ||= found !== null
  }
  if (outside)
    throw new AppError('FORBIDDEN', `${file} lies outside ${root}, the folder of ${basename(debugFile)}.`, {
      hint: 'Bridgedeck reads the sources in the folder of the debug file and in its git repository.',
    })
  throw new AppError('NOT_FOUND', `There is no file ${file} beside ${basename(debugFile)}.`, {
    hint: `Searched for in ${root}. Keep the debug file with its sources, or build again.`,
  })
}

/** The folder itself where there is none. A repository of the whole home folder is none of a program. */
async function repositoryAround(folder: string): Promise<string> {
  const home = homedir()
  for (let at = folder; at !== dirname(at) && !isInside(at, home); at = dirname(at)) {
    const isRoot = await stat(resolve(at, '.git')).then(
      () => true,
      () => false,
    )
    if (isRoot) return at
  }
  return folder
}
