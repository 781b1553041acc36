import { AppError } from '@shared/contract/errors'

export const cancelled = (): AppError => new AppError('CANCELLED', 'Cancelled.')
