import { AppError } from '@shared/contract/errors'

/**
 * A file system's error as one sentence about the file: NOT_FOUND, FORBIDDEN or INVALID. Anything else that was thrown
 * is given back as it is.
 */
export function describeFileError(error: unknown, name: string, action: 'read' | 'written'): unknown {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string' || error instanceof AppError)
    return error
  switch (error.code) {
    case 'ENOENT':
      return action === 'read'
        ? new AppError('NOT_FOUND', `There is no file ${name}.`, {
            hint: 'Check the path; relative paths start at your working folder.',
            cause: error,
          })
        : new AppError('NOT_FOUND', `The folder for ${name} does not exist.`, {
            hint: 'Make the folder first, or choose another.',
            cause: error,
          })
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new AppError('FORBIDDEN', `${name} may not be ${action}.`, {
        hint: 'Check the permissions of the file and its folder.',
        cause: error,
      })
    case 'EISDIR':
      return new AppError('INVALID', `${name} is a folder, not a file.`, { cause: error })
    case 'ENOSPC':
      return new AppError('INVALID', `${name} could not be written: the disk is full.`, {
        hint: 'Make room and try again.',
        cause: error,
      })
    default:
      return new AppError('INVALID', `${name} could not be ${action} (${error.code}).`, { cause: error })
  }
}
