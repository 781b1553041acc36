import { toFailure, type Failure } from '@shared/contract/errors'
import { hexString } from '../hexDump'
import { readScreen } from '../screenText'
import type { Session } from '../session'
import type { FramesRequest, SentFrame } from './eventMessages'

interface Feed {
  readonly request: FramesRequest
  readonly open: () => Promise<Session>
  /** Whether the reader has still to take what was sent before. */
  readonly isBehind: () => boolean
  readonly send: (frame: SentFrame, pixels: Uint8Array | undefined) => void
  readonly fail: (failure: Failure) => void
}

/**
 * Reads a machine at a rate. A frame is read only when it can be sent, so that a slow reader gets the newest one; those left out
 * are counted. A machine that is away is asked again each time, and what is wrong is told once.
 */
export function startFrames({ request, open, isBehind, send, fail }: Feed): () => void {
  const ended = new AbortController()
  let isReading = false
  let dropped = 0
  let problem = ''
  let isConnected = false
  const look = async (): Promise<void> => {
    if (isReading || isBehind()) {
      dropped++
      return
    }
    isReading = true
    try {
      const session = await open()
      if (!isConnected) await session.connect(request.machine, ended.signal)
      isConnected = true
      const { frame, pixels } = await readFrame(session, request, ended.signal)
      if (ended.signal.aborted) return
      send({ ...frame, dropped }, pixels)
      dropped = 0
      problem = ''
    } catch (error) {
      isConnected = false
      const failure = toFailure(error)
      if (!ended.signal.aborted && failure.message !== problem) fail(failure)
      problem = failure.message
    } finally {
      isReading = false
    }
  }
  const timer = setInterval(() => void look(), 1000 / request.rate)
  void look()
  return () => {
    clearInterval(timer)
    ended.abort()
  }
}

type Read = { readonly frame: Omit<SentFrame, 'dropped'>; readonly pixels: Uint8Array | undefined }

async function readFrame(session: Session, request: FramesRequest, signal: AbortSignal): Promise<Read> {
  const { id, machine, memory } = request
  const { client } = session
  const time = Date.now()
  const [picture, screen, registers, ranges] = await Promise.all([
    request.picture ? client.call('memory.picture', { machine }, signal) : undefined,
    request.screen ? readScreen(session, machine, signal) : undefined,
    request.registers ? client.call('memory.registers', { machine }, signal) : undefined,
    Promise.all(
      memory.map(async ({ space, address, length }) => {
        const { bytes } = await client.call('memory.read', { machine, space, address, length }, signal)
        return { space, address, bytes: hexString(bytes) }
      }),
    ),
  ])
  return {
    frame: {
      ...{ kind: 'frame', id, machine, time },
      ...(screen ? { screen: [...screen.rows] } : {}),
      ...(registers ? { registers: registers.registers } : {}),
      ...(ranges.length > 0 ? { memory: ranges } : {}),
      ...(picture ? { picture: { width: picture.width, height: picture.height } } : {}),
    },
    pixels: picture?.pixels,
  }
}
