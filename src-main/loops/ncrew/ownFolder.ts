import { mkdir } from 'node:fs/promises'
import { toFailure } from '@shared/contract/errors'
import { compareAndSwap } from '../../files/compareAndSwap'
import { containedPath } from '../../files/containedPath'

/**
 * A folder of the crew to write into; made if it is not there.
 * @param root of the crew, links resolved
 * @throws AppError FORBIDDEN when a link in the way leads out of the crew
 */
export async function ownFolder(root: string, path: string): Promise<string> {
  const folder = await containedPath(path, { root })
  await mkdir(folder, { recursive: true })
  return folder
}

/** Experts commit with `git add .`: what belongs to whoever runs the crew stays out of that, and so does the file that says so. */
const IGNORED = '/.gitignore\n/.lock\n/logs/\n'

/** Does nothing where there is a file of this name. */
export async function keepOutOfCommits(root: string): Promise<void> {
  try {
    await compareAndSwap({ file: '.noodlecrew/.gitignore', before: null, after: IGNORED }, { root })
  } catch (error) {
    if (toFailure(error).code !== 'CONFLICT') throw error
  }
}
