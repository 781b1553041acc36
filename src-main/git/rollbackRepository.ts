import { lstat, readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '@shared/contract/errors'
import { findRepository, type Repository } from './repository'
import { TrustedFolder } from './trustedFolder'

export interface Ready {
  readonly at: TrustedFolder
  readonly repository: Repository
  readonly head: string
}

/** Security: the repository's top and git folder must lie in the trusted project. */
export async function prepare(folder: TrustedFolder, signal: AbortSignal | undefined): Promise<Ready> {
  const repository = await findRepository(folder, signal)
  if (!repository)
    throw new AppError('UNSUPPORTED', 'This folder is not in a git repository, so there is nothing to roll back.', {
      hint: 'Undo in the journal brings back what Bridgedeck wrote.',
    })
  const { top, gitFolder, head } = repository
  if (!folder.holds(top))
    throw new AppError(
      'FORBIDDEN',
      `The git repository is at ${top}, above the project: a rollback would change files outside the project.`,
      { hint: 'Trust that folder as well, with bridgedeck project trust.' },
    )
  if (!folder.holds(gitFolder) && !(await pointsBack(gitFolder, top))) {
    throw new AppError(
      'FORBIDDEN',
      `The project’s git folder is ${gitFolder}, outside the project, and does not belong to it.`,
      { hint: 'Roll back with git itself.' },
    )
  }
  if (head === null)
    throw new AppError('UNSUPPORTED', 'The git repository has no commits yet, so there is nothing to roll back.')
  const underWay = await operationUnderWay(gitFolder)
  if (underWay !== undefined)
    throw new AppError('CONFLICT', `A ${underWay} is in progress in the repository.`, {
      hint: `Finish it, or cancel it with: git ${underWay} --abort`,
    })
  return { at: new TrustedFolder(folder.root, top, folder.bounds), repository, head }
}

/** A linked work tree's git folder names the `.git` file that leads to it. */
async function pointsBack(gitFolder: string, top: string): Promise<boolean> {
  const named = await readFile(join(gitFolder, 'gitdir'), 'utf8').catch(() => undefined)
  return named !== undefined && (await realpath(named.trim()).catch(() => undefined)) === join(top, '.git')
}

const traces = {
  MERGE_HEAD: 'merge',
  CHERRY_PICK_HEAD: 'cherry-pick',
  REVERT_HEAD: 'revert',
  'rebase-merge': 'rebase',
  'rebase-apply': 'rebase',
  sequencer: 'revert',
}

async function operationUnderWay(gitFolder: string): Promise<string | undefined> {
  for (const [name, operation] of Object.entries(traces)) {
    if (await lstat(join(gitFolder, name)).catch(() => undefined)) return operation
  }
  return undefined
}
