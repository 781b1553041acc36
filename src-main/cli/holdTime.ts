import { setTimeout as wait } from 'node:timers/promises'
import type { VideoStandard } from '@shared/contract/machine'
import { framesPerSecond } from '@shared/c64/frameRate'
import { flag, number } from './parameters'
import { UsageError } from './usageError'

/** Five PAL frames: a program that polls once a frame sees it. */
const DEFAULT_HOLD_MS = 100
const RELEASE_DEADLINE_MS = 5_000

export const holdOptions = {
  hold: number('MS', `How long, in milliseconds. Default: ${DEFAULT_HOLD_MS}.`, { min: 20, max: 60_000 }),
  frames: number('N', 'How long, in frames, in place of --hold.', { min: 1, max: 3_000 }),
  keep: flag('Leave it held until the next call, for a machine that is paused or stepped.'),
}

/**
 * @returns ms
 * @throws UsageError where both are given
 */
export function holdTime(
  { hold, frames }: { readonly hold: number | undefined; readonly frames: number | undefined },
  standard: VideoStandard,
): number {
  if (hold !== undefined && frames !== undefined) throw new UsageError('Give --hold or --frames, not both.')
  return frames === undefined ? (hold ?? DEFAULT_HOLD_MS) : Math.ceil((frames * 1000) / framesPerSecond[standard])
}

/** @throws UsageError where a time is given beside --keep */
export function requireNoTime(times: readonly unknown[]): void {
  if (times.some((time) => time !== undefined)) throw new UsageError('With --keep there is no time to hold it.')
}

export async function holdFor(
  milliseconds: number,
  hold: (isHeld: boolean, signal: AbortSignal) => Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  try {
    await hold(true, signal)
    await wait(milliseconds, undefined, { signal })
  } finally {
    await hold(false, AbortSignal.timeout(RELEASE_DEADLINE_MS))
  }
}
