import { resolve } from 'node:path'
import { AppError } from '@shared/contract/errors'
import type { AreaHandlers, Emit } from '../rpc/commands'
import { backUp } from './backup'
import { measureData, type DataPlaces } from './measure'

export interface DataParts {
  readonly dataPlaces: DataPlaces
  readonly emit: Emit
}

export function createDataHandlers({ dataPlaces, emit }: DataParts): AreaHandlers<'data'> {
  let isBackingUp = false
  return {
    'data.measure': (_input, signal) => measureData(dataPlaces, signal),
    'data.backUpTo': async ({ path }, signal) => {
      if (isBackingUp) throw new AppError('BUSY', 'A backup is being made.', { hint: 'Wait for it, or cancel it.' })
      isBackingUp = true
      try {
        return await backUp({
          ...dataPlaces,
          to: resolve(path),
          onPercent: (percent) => emit('data.backedUp', { percent }),
          signal,
        })
      } finally {
        isBackingUp = false
      }
    },
  }
}
