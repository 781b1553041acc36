/** Paths out of files are untrusted: they must stay in the folder that the person opened. */
import { lstat, realpath } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { AppError } from '@shared/contract/errors'
import { isCode } from './fileErrors'

/** Both without symbolic links. A root such as `/` ends with its separator. */
export const isInside = (root: string, target: string): boolean =>
  target === root || target.startsWith(root.endsWith(sep) ? root : root + sep)

interface Containment {
  readonly root: string
  /** Refuses symbolic links anywhere below the root, as Maestro requires. */
  readonly isStrict?: boolean
}

/**
 * Resolves the deepest existing parent, which must be in the project.
 * @param file relative to the root, with `/`
 * @returns absolute path; that of its target for a symbolic link
 * @throws AppError FORBIDDEN when it is outside, in a git folder, or behind a link that is not followed
 */
export async function containedPath(file: string, { root, isStrict = false }: Containment): Promise<string> {
  const parts = file.split('/')
  if (file === '' || /[\0\\]/.test(file) || parts.some((part) => part === '' || part === '.' || part === '..'))
    throw refusal(file, 'it names no place inside it')
  const wanted = join(root, ...parts)
  const found = await deepest(wanted)
  const real = await realpath(found)
  if (!isInside(root, real)) throw refusal(file, 'a symbolic link leads out of it')
  if (isStrict && real !== found) throw refusal(file, 'a symbolic link stands on its way')
  const path = join(real, relative(found, wanted))
  // Security: git runs hooks and commands from there.
  if (relative(root, path).split(sep).includes('.git')) throw refusal(file, 'it is in a folder of git')
  return path
}

/** The path, or its nearest existing parent. A link that leads nowhere exists. */
async function deepest(path: string): Promise<string> {
  for (let at = path; ; at = dirname(at)) {
    const found = await lstat(at).catch((error: unknown) => {
      if (isCode(error, 'ENOENT', 'ENOTDIR')) return undefined
      throw error
    })
    if (found || dirname(at) === at) return at
  }
}

const refusal = (file: string, why: string): AppError =>
  new AppError('FORBIDDEN', `${file} is not written: ${why}.`, {
    hint: 'Bridgedeck writes only files in the folder that you opened.',
  })
