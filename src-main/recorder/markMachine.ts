import { basename, dirname } from 'node:path'
import { AppError } from '@shared/contract/errors'
import type { NewMark } from '@shared/contract/recorder'
import type { Emit } from '../rpc/commands'
import type { Recorder } from './recorder'

interface Parts {
  readonly recorder: Pick<Recorder, 'openOf' | 'addMark'>
  readonly emit: Emit
}

/** @throws AppError CONFLICT or NOT_FOUND where none could be marked */
export async function markMachine(
  { recorder, emit }: Parts,
  machine: string,
  mark: NewMark,
): Promise<{ recordings: string[] }> {
  const recordings: string[] = []
  let missed: AppError | undefined
  for (const path of recorder.openOf(machine)) {
    const recording = basename(dirname(path))
    try {
      await recorder.addMark(path, mark)
    } catch (error) {
      // It has just ended, began later, or is full of marks: the others are marked all the same.
      if (!(error instanceof AppError) || !['CONFLICT', 'NOT_FOUND'].includes(error.code)) throw error
      missed ??= error
      continue
    }
    recordings.push(recording)
    emit('recorder.marked', { recording })
  }
  if (recordings.length === 0 && missed) throw missed
  return { recordings }
}
