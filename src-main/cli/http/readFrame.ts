import { hexString } from '../hexDump'
import { readScreen } from '../screenText'
import type { Session } from '../session'
import type { FramesRequest } from './eventMessages'
import type { ReadFrame } from './frameFeed'

export function frameReader(
  request: FramesRequest,
  open: () => Promise<Session>,
): (signal: AbortSignal) => Promise<ReadFrame> {
  let isConnected = false
  return async (signal) => {
    const session = await open()
    if (!isConnected) await session.connect(request.machine, signal)
    isConnected = false
    const read = await readFrame(session, request, signal)
    isConnected = true
    return read
  }
}

async function readFrame(session: Session, request: FramesRequest, signal: AbortSignal): Promise<ReadFrame> {
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
      kind: 'frame',
      id,
      machine,
      time,
      ...(screen ? { screen: [...screen.rows] } : {}),
      ...(registers ? { registers: registers.registers } : {}),
      ...(ranges.length > 0 ? { memory: ranges } : {}),
      ...(picture ? { picture: { width: picture.width, height: picture.height } } : {}),
    },
    pixels: picture?.pixels,
  }
}
