import { mkdir } from 'node:fs/promises'
import { toFailure } from '@shared/contract/errors'
import { compareAndSwap } from '../../files/compareAndSwap'
import { containedPath } from '../../files/containedPath'

/**
 * The folder is made if missing.
 * @param root links resolved
 * @throws AppError FORBIDDEN when a link on the way leads out of the crew
 */
export async function ownFolder(root: string, path: string): Promise<string> {
  const folder = await containedPath(path, { root })
  await mkdir(folder, { recursive: true })
  return folder
}

/** Experts commit with `git add .`: the runner's own files, and this one, must stay out of that. */
const IGNORED = '/.gitignore\n/.lock\n/logs/\n'

export async function keepOutOfCommits(root: string): Promise<void> {
  try {
    await compareAndSwap({ file: '.noodlecrew/.gitignore', before: null, after: IGNORED }, { root })
  } catch (error) {
    if (toFailure(error).code !== 'CONFLICT') throw error
  }
}
