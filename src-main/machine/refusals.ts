import { AppError } from '@shared/contract/errors'
import { MAX_NOTED_BYTES } from '@shared/contract/running'

/** @throws AppError INVALID */
export function checkEnd(end: number): void {
  if (end > 0x10000) throw new AppError('INVALID', 'The range goes past $FFFF.')
}

export const romIsReadOnly = (): AppError =>
  new AppError('UNSUPPORTED', 'ROM cannot be written.', { hint: 'Write to the RAM under it (space ram).' })

export const tooManyNoted = (): AppError =>
  new AppError('CONFLICT', `The writes of ${MAX_NOTED_BYTES} bytes are noted already.`, {
    hint: 'End the notes of another byte.',
  })

export const noFrame = (): AppError =>
  new AppError('CONFLICT', 'The machine stopped before a frame began.', {
    hint: 'Resume it, and read the frame again.',
  })
