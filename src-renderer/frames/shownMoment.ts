import { AppError } from '@shared/contract/errors'
import { create } from 'zustand'

interface Playback {
  readonly shown: { readonly recording: string; readonly time: number; readonly next: number | null } | null
  /** Kept until it is shown. */
  readonly asked: number | null
}

export const usePlayback = create<Playback>(() => ({ shown: null, asked: null }))

/** @throws AppError while a recorded moment is shown, which cannot be changed */
export function requireLive(): void {
  if (usePlayback.getState().shown === null) return
  throw new AppError('CONFLICT', 'The views show a recorded moment, which cannot be changed.', {
    hint: 'Esc goes back to the machine as it is now.',
  })
}
