import { AppError } from '@shared/contract/errors'
import { trustRepositoryQuestion } from '@shared/contract/trust'
import { identifyFolder } from '../projects/trust'
import { askAtTerminal } from './askAtTerminal'
import type { CommandContext } from './command'
import { flag } from './parameters'
import type { Session } from './session'

export async function trustFolder({ client }: Session, path: string, signal: AbortSignal): Promise<void> {
  const { identity } = identifyFolder(path)
  await client.call('projects.setTrusted', { path, identity }, signal)
}

export const trustRepositoryFlag = flag(
  'For a worktree: trust the top of the git repository, too, where it begins above the project. Do not ask.',
)

/**
 * To be called before a worktree is made: where the repository begins above the project, its top must be trusted as
 * well.
 * @throws AppError FORBIDDEN where nobody can be asked, CANCELLED where the person does not want to
 */
export async function trustRepository(
  { client }: Session,
  project: number,
  isAgreed: boolean,
  context: Pick<CommandContext, 'streams' | 'signal'>,
): Promise<void> {
  const { repositoryAbove: top } = await client.call('projects.folder', { project }, context.signal)
  if (!top) return
  const question = {
    ...trustRepositoryQuestion(top.root),
    action: 'trust it',
    withoutTerminal: {
      message: `The git repository begins at ${top.root}, above the project, and that folder is not trusted.`,
      hint: 'Call from a terminal, or add --trust-repository if you know what is in that folder.',
    },
  }
  if (!isAgreed && !(await askAtTerminal(question, context)))
    throw new AppError('CANCELLED', 'The repository stays restricted, so there is no worktree.', {
      hint: 'Run without a worktree.',
    })
  await client.call('projects.setTrusted', { path: top.root, identity: top.identity }, context.signal)
}
