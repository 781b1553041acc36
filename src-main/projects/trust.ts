/** Trust holds for that very folder: one that takes its place later is not trusted. */
import { realpathSync, statSync, type BigIntStats } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { AppError } from '@shared/contract/errors'
import { requireResolvedInside } from '../files/agentFolders'
import { isInside } from '../files/containedPath'
import { TrustedFolder } from '../git/trustedFolder'
import type { StoredProject } from '../storage/projects'
import { describeFolderError } from './read/projectDisk'

export interface IdentifiedFolder {
  /** Links resolved. */
  readonly root: string
  readonly identity: string
}

/** Without the device number, which changes with a restart on some file systems. */
export const identityText = (root: string, { ino, birthtimeNs }: Pick<BigIntStats, 'ino' | 'birthtimeNs'>): string =>
  `${ino}:${birthtimeNs} ${root}`

/** @throws AppError when there is no folder that may be read */
export function identifyFolder(path: string): IdentifiedFolder {
  try {
    const root = realpathSync(path)
    requireResolvedInside(path, root)
    const found = statSync(root, { bigint: true })
    if (!found.isDirectory())
      throw new AppError('INVALID', `${path} is not a folder.`, { hint: 'Give the folder of a project.' })
    return { root, identity: identityText(root, found) }
  } catch (error) {
    throw describeFolderError(error, path)
  }
}

type Trusting = Pick<StoredProject, 'path' | 'trustedAs'>

const isTrusted = ({ path, trustedAs }: Trusting): boolean => {
  try {
    return trustedAs !== null && identifyFolder(path).identity === trustedAs
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

export function trustedAround(root: string, known: readonly Trusting[]): string {
  const around = known.filter((stored) => isInside(stored.path, root) && isTrusted(stored))
  return around.reduce((outermost, { path }) => (path.length < outermost.length ? path : outermost), root)
}

/**
 * Permission to run git or an agent; to be asked for each time.
 * @param folder relative to the project, with `/`; empty for its own
 * @param known trusted folders around the project, as git may work in a repository that begins there
 * @throws AppError FORBIDDEN when the project is restricted, or the folder is outside it
 */
export function requireTrusted(
  { path, trustedAs }: Trusting,
  folder = '',
  known: readonly Trusting[] = [],
): TrustedFolder {
  const { root, identity } = identifyFolder(path)
  if (identity !== trustedAs) {
    throw new AppError(
      'FORBIDDEN',
      trustedAs === null
        ? `The folder ${path} is restricted: Bridgedeck runs nothing there, not even git.`
        : `The folder ${path} was replaced after you trusted it.`,
      { hint: 'Trust it in the projects view, or with bridgedeck project trust.' },
    )
  }
  const { root: target } = folder === '' ? { root } : identifyFolder(resolve(root, folder))
  const way = relative(root, target)
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way))
    throw new AppError('FORBIDDEN', `${folder} is outside the project: Bridgedeck runs nothing there.`)
  return new TrustedFolder(root, target, trustedAround(root, known))
}
