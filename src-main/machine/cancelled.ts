import { AppError } from '@shared/contract/errors'

/** What a run that somebody cancelled ends with. */
export const cancelled = (): AppError => new AppError('CANCELLED', 'Cancelled.')
