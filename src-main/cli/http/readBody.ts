import type { IncomingMessage } from 'node:http'
import { AppError } from '@shared/contract/errors'
import { Refusal } from './refusal'

/**
 * Bytes of too long a body that are read and thrown away: many clients read no answer before they have sent everything.
 */
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024

/**
 * Undefined for an empty body.
 * @throws Refusal
 */
export async function readJson(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  const { 'content-length': declared = '0', expect } = request.headers
  // The client waits for `100 Continue` before it sends anything.
  if (expect !== undefined && Number(declared) > maxBytes) throw tooLong(maxBytes)
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      if (!(chunk instanceof Uint8Array)) continue
      length += chunk.byteLength
      if (length <= maxBytes) chunks.push(chunk)
      else chunks.length = 0
      if (length > MAX_DISCARDED_BYTES) break
    }
  } catch (error) {
    throw new AppError('CANCELLED', 'The request ended before all of it had come.', { cause: error })
  }
  if (length > maxBytes) throw tooLong(maxBytes)
  const text = Buffer.concat(chunks).toString()
  if (text.trim() === '') return undefined
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch (error) {
    throw new AppError('INVALID', 'The body of the request is no JSON.', { cause: error })
  }
}

const tooLong = (maxBytes: number): Refusal =>
  new Refusal(413, new AppError('INVALID', `The body of a request has at most ${maxBytes / 1024} KiB.`))
