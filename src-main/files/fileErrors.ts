import { AppError, diskError } from '@shared/contract/errors'

export function withFileName(error: unknown, name: string): unknown {
  if (!(error instanceof AppError) || error.code !== 'INVALID' || error.message.includes(name)) return error
  const { hint, details } = error
  return new AppError('INVALID', `${name}: ${error.message}`, {
    cause: error,
    ...(hint === undefined ? {} : { hint }),
    ...(details ? { details } : {}),
  })
}

export const isCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))

/** One sentence as NOT_FOUND, FORBIDDEN or INVALID. Other errors are returned unchanged. */
export function describeFileError(error: unknown, name: string, action: 'read' | 'written'): unknown {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string' || error instanceof AppError)
    return error
  const refused = diskError(error, name, action)
  if (refused) return refused
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
    case 'EISDIR':
      return new AppError('INVALID', `${name} is a folder, not a file.`, { cause: error })
    default:
      return new AppError('INVALID', `${name} could not be ${action} (${error.code}).`, { cause: error })
  }
}
