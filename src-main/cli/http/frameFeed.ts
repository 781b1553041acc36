import { toFailure, type Failure } from '@shared/contract/errors'
import type { SentFrame } from './eventMessages'

export interface ReadFrame {
  readonly frame: Omit<SentFrame, 'dropped'>
  readonly pixels: Uint8Array | undefined
}

interface Feed {
  /** Frames per second. */
  readonly rate: number
  readonly read: (signal: AbortSignal) => Promise<ReadFrame>
  readonly isBehind: () => boolean
  readonly send: (frame: SentFrame, pixels: Uint8Array | undefined) => void
  readonly fail: (failure: Failure) => void
}

/**
 * Reads only when the frame can be sent, so that a slow reader gets the newest one; frames left out are counted. An
 * unreachable machine is asked again each time, and each problem is reported once.
 */
export function startFrames({ rate, read, isBehind, send, fail }: Feed): () => void {
  const ended = new AbortController()
  let isReading = false
  let dropped = 0
  let problem = ''
  const look = async (): Promise<void> => {
    if (isReading || isBehind()) {
      dropped++
      return
    }
    isReading = true
    try {
      const { frame, pixels } = await read(ended.signal)
      if (ended.signal.aborted) return
      send({ ...frame, dropped }, pixels)
      dropped = 0
      problem = ''
    } catch (error) {
      const failure = toFailure(error)
      if (!ended.signal.aborted && failure.message !== problem) fail(failure)
      problem = failure.message
    } finally {
      isReading = false
    }
  }
  const timer = setInterval(() => void look(), 1000 / rate)
  void look()
  return () => {
    clearInterval(timer)
    ended.abort()
  }
}
