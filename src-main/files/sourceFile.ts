/** The names of source files come from debug files and build output, and are untrusted; the text is only read. */
import { realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, resolve } from 'node:path'
import { AppError } from '@shared/contract/errors'
import { MAX_SOURCE_BYTES } from '@shared/contract/labels'
import { isInside } from './containedPath'
import { decodeText } from './decodeText'
import { readBounded } from './readBounded'
import { isRepository } from './repositoryAt'

/** @throws AppError INVALID for what is no text, or too large */
export async function readSourceText(place: string): Promise<string> {
  const bytes = await readBounded(place, MAX_SOURCE_BYTES)
  const text = decodeText(bytes)
  if (text.includes('\0')) throw new AppError('INVALID', `${basename(place)} is no text: it has bytes that are 0.`)
  return text
}

interface Beside {
  readonly folder: string
  readonly beside: string
  readonly roots: readonly string[]
}

/**
 * Also searches the folders above, in the same repository or trusted folder: builds name sources from where they were
 * started. For a path of another computer or container its end is searched, the longest first.
 * @throws AppError NOT_FOUND, or FORBIDDEN for what lies outside
 */
export async function findSource(file: string, { folder: given, beside, roots }: Beside): Promise<string> {
  const folder = await realpath(given).catch(() => given)
  const repository = repositoryBelowHome(folder)
  const root = roots.filter((each) => isInside(each, repository)).sort((a, b) => a.length - b.length)[0] ?? repository
  const name = file.replaceAll('\\', '/')
  let outside = false
  for (const candidate of candidatesFor(name, folder, root)) {
    const found = await realpath(candidate).catch(() => null)
    if (found !== null && isInside(root, found)) return found
    outside ||= found !== null
  }
  if (outside)
    throw new AppError('FORBIDDEN', `${file} lies outside ${root}, the folder of ${beside}.`, {
      hint: 'Bridgedeck reads the sources in this folder, in its git repository, and in a trusted folder that is built.',
    })
  throw new AppError('NOT_FOUND', `There is no file ${file} beside ${beside}.`, {
    hint: `Searched for in ${root}. Keep it with its sources, or build again.`,
  })
}

const MAX_KEPT_FOLDERS = 5

function candidatesFor(name: string, folder: string, root: string): string[] {
  const folders = foldersUpTo(root, folder)
  if (!isAbsolute(name) && !/^[a-z]:/i.test(name)) return folders.map((each) => resolve(each, name))
  const parts = name.split('/')
  const ends = Array.from({ length: Math.min(MAX_KEPT_FOLDERS, parts.length - 2) }, (_, index) =>
    parts.slice(-2 - index),
  )
  return [
    // Names of network shares are not looked up: Windows would log in there.
    ...(name.startsWith('//') ? [] : [name]),
    ...ends.toReversed().flatMap((end) => folders.map((each) => resolve(each, ...end))),
    resolve(folder, basename(name)),
  ]
}

function foldersUpTo(root: string, folder: string): string[] {
  const folders: string[] = []
  for (let at = folder; isInside(root, at); at = dirname(at)) {
    folders.push(at)
    if (at === dirname(at)) break
  }
  return folders
}

function repositoryBelowHome(folder: string): string {
  const home = homedir()
  for (let at = folder; at !== dirname(at) && !isInside(at, home); at = dirname(at)) {
    if (isRepository(at)) return at
  }
  return folder
}
