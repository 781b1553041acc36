import { AppError } from '@shared/contract/errors'

/** @throws AppError INVALID for a path that no key or sentence can hold */
export function requireShowable(path: string): void {
  if (!/\p{Cc}/u.test(path)) return
  throw new AppError('INVALID', `The folder ${JSON.stringify(path)} has a control character in its path.`, {
    hint: 'Rename the folder, then try again.',
  })
}
