import { AppError } from '@shared/contract/errors'
import type { ByteStream } from './byteStream'

/** More bytes than a booting device sends before something that is understood. */
const MAX_GARBAGE_BYTES = 0x8000

export interface Protocol {
  readonly name: string
  readonly where: string
  readonly hint: string
}

/**
 * Tells a wrong protocol from a silent line.
 * @param hasAnswered whether anything that arrived was understood
 * @throws AppError UNREACHABLE where bytes arrived and none was understood, otherwise what `work` throws
 */
export async function identify<Result>(
  stream: ByteStream,
  protocol: Protocol,
  hasAnswered: () => boolean,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  let received = 0
  const flooded = new AbortController()
  const stopListening = stream.onData(({ length }) => {
    received += length
    if (received > MAX_GARBAGE_BYTES && !hasAnswered()) flooded.abort()
  })
  try {
    return await work(AbortSignal.any([signal, flooded.signal]))
  } catch (error) {
    if (received === 0 || hasAnswered() || signal.aborted) throw error
    throw foreignDevice(protocol, error)
  } finally {
    stopListening()
  }
}

const foreignDevice = ({ name, where, hint }: Protocol, cause?: unknown): AppError =>
  new AppError('UNREACHABLE', `The device at ${where} does not speak ${name}.`, { hint, cause })
