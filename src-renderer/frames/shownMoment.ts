/** Whether the views show the machine as it is now, or a moment of a recording. */
import { AppError } from '@shared/contract/errors'
import { create } from 'zustand'

interface Playback {
  /** The moment of a recording that all views show in place of the machine; null while they show the machine. */
  readonly shown: { readonly recording: string; readonly time: number; readonly next: number | null } | null
  /** The time that was asked for last, until it is shown. */
  readonly asked: number | null
}

export const usePlayback = create<Playback>(() => ({ shown: null, asked: null }))

/** What is shown is past: nothing of it can be changed. Throws an AppError then. */
export function requireLive(): void {
  if (usePlayback.getState().shown === null) return
  throw new AppError('CONFLICT', 'The views show a recorded moment, which cannot be changed.', {
    hint: 'Esc goes back to the machine as it is now.',
  })
}
