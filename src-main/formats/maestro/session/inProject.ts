import { AppError } from '@shared/contract/errors'
import { projectPath } from '../../text/namedPath'

/** @throws AppError INVALID for a typed path that leads out of the project */
export function requireInProject(root: string, path: string): string {
  const named = inProject(root, path)
  if (projectPath('', named) === undefined)
    throw new AppError('INVALID', `${path} is not in the project.`, {
      hint: 'Give a path that is relative to the project.',
    })
  return named
}

export const inProject = (root: string, path: string): string =>
  path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path
