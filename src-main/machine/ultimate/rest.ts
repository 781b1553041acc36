/**
 * The server holds four connections, handles one call at a time and keeps none open, so one request is sent at a time,
 * each on its own connection.
 */
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { z } from 'zod'
import { AppError, type ErrorCode } from '@shared/contract/errors'
import type { HostAndPort } from '@shared/contract/machineName'
import { SerialQueue } from '@shared/serialQueue'
import { AnswerTimer } from '../answerTimer'
import { parseTolerantJson, plainText } from './json'

export interface RestRequest {
  readonly method: 'GET' | 'PUT' | 'POST'
  readonly path: string
  /** The firmware refuses parameters that a call does not know. */
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: { readonly type: string; readonly bytes: Uint8Array }
  readonly does: string
  /** Counted from sending, ms. */
  readonly deadline?: number
}

export interface RestReply {
  readonly isJson: boolean
  readonly bytes: Uint8Array
}

/** Most calls take 10 to 30 ms; starting a program takes two seconds and delays the next call. */
const REQUEST_DEADLINE_MS = 4_000

/** The longest reply expected is 64 KiB of memory. */
const MAX_REPLY_BYTES = 0x10_0000

/** The device decodes a path, splits it at `/`, and decodes the parts again: these are encoded twice. */
const decodedTwice = /[%+/]/g

/** A name may hold any character; an unencoded `:` would start the command. */
export const pathPart = (name: string): string => encodeURIComponent(name.replaceAll(decodedTwice, encodeURIComponent))

export interface Ends {
  readonly local: string
  readonly device: string
}

export class RestClient {
  readonly #address: HostAndPort
  readonly #password: string | null
  readonly #requests = new SerialQueue()
  #ends: Ends | null = null
  onOutcome: (failure: AppError | null) => void = () => undefined

  constructor(address: HostAndPort, password: string | null) {
    this.#address = address
    this.#password = password === '' ? null : password
  }

  get where(): string {
    const { host, port } = this.#address
    const bare = host.includes(':') ? `[${host}]` : host
    return port === 80 ? bare : `${bare}:${port}`
  }

  /** Null before the first connection. Streams go from the device's address to the local one. */
  get ends(): Ends | null {
    return this.#ends
  }

  /**
   * Resolves to the body of a 200 reply. A request cancelled while it waits is never sent.
   * @throws AppError UNREACHABLE (nothing listens), LOST (cut off), TIMEOUT, CANCELLED, FORBIDDEN (password),
   * UNSUPPORTED (this firmware or model has no such call), or the device's refusal
   */
  send(request: RestRequest, signal: AbortSignal): Promise<RestReply> {
    const sent = this.#requests.run(() => this.#sendNow(request, signal))
    return new Promise((resolve, reject) => {
      const cancel = (): void => reject(cancelled())
      signal.addEventListener('abort', cancel, { once: true })
      if (signal.aborted) cancel()
      sent.then(resolve, reject).finally(() => signal.removeEventListener('abort', cancel))
    })
  }

  /** @throws AppError INTERNAL where the reply does not match the schema */
  async sendForJson<T>(request: RestRequest, schema: z.ZodType<T>, signal: AbortSignal): Promise<T> {
    const { bytes } = await this.send(request, signal)
    const parsed = schema.safeParse(parseTolerantJson(bytes))
    if (parsed.success) return parsed.data
    throw new AppError('INTERNAL', `The reply of ${this.where} to “${request.does}” could not be read.`, {
      hint: 'Check that this is an Ultimate and that its firmware is up to date.',
      details: { unreadable: true },
    })
  }

  #sendNow(request: RestRequest, signal: AbortSignal): Promise<RestReply> {
    if (signal.aborted) return Promise.reject(cancelled())
    return new Promise((resolve, reject) => {
      const { method, path, query = {}, body, deadline = REQUEST_DEADLINE_MS } = request
      const password = this.#password
      const sending = httpRequest({
        ...this.#address,
        agent: false,
        method,
        path: path + queryText(query),
        headers: {
          // Must come first, as the device reads only the first lines of the header.
          ...(password === null ? {} : { 'X-Password': password }),
          Connection: 'close',
          ...(body ? { 'Content-Type': body.type, 'Content-Length': body.bytes.length } : {}),
        },
      })
      let isSettled = false
      const settle = (settled: () => void): void => {
        if (isSettled) return
        isSettled = true
        timer.clear()
        signal.removeEventListener('abort', cancel)
        settled()
        sending.destroy()
      }
      const fail = (error: AppError): void =>
        settle(() => {
          this.onOutcome(error)
          reject(error)
        })
      const cancel = (): void => settle(() => reject(cancelled()))
      const timer = new AnswerTimer(deadline, () => fail(this.#silent(request)))
      signal.addEventListener('abort', cancel, { once: true })
      sending.on('socket', (socket) => {
        socket.once('connect', () => {
          const { localAddress, remoteAddress } = socket
          if (localAddress !== undefined && remoteAddress !== undefined)
            this.#ends = { local: plainIp(localAddress), device: plainIp(remoteAddress) }
        })
      })
      sending.on('error', (error) => fail(this.#broken(error, request)))
      sending.on('response', (response) => {
        collect(response).then(
          (bytes) =>
            settle(() => {
              this.onOutcome(null)
              this.#conclude(response, bytes, request, resolve, reject)
            }),
          (error: unknown) => fail(error instanceof AppError ? error : this.#broken(asError(error), request)),
        )
      })
      sending.end(body?.bytes)
    })
  }

  #conclude(
    response: IncomingMessage,
    bytes: Uint8Array,
    request: RestRequest,
    resolve: (reply: RestReply) => void,
    reject: (error: AppError) => void,
  ): void {
    const status = response.statusCode ?? 0
    const isJson = (response.headers['content-type'] ?? '').startsWith('application/json')
    const errors = isJson || status !== 200 ? errorsIn(bytes) : []
    if (status === 200 && errors.length === 0) resolve({ isJson, bytes })
    else reject(this.#refusal(status, errors, isJson, request))
  }

  #refusal(status: number, errors: readonly string[], isJson: boolean, { does }: RestRequest): AppError {
    const failure = `The Ultimate at ${this.where} could not ${does}`
    const reported = plainText(errors.join(' '))
    if (status === 403 && reported.startsWith('Forbidden')) return this.#forbidden()
    if (status === 404 && !isJson && errors.length === 0) {
      return new AppError('UNSUPPORTED', `${failure}: its firmware does not support this.`, {
        hint: 'Update the firmware, or check that this is an Ultimate.',
        details: { status },
      })
    }
    if (reported.includes('does not have parameter')) {
      return new AppError('UNSUPPORTED', `${failure}: its firmware does not support all of it (${reported}).`, {
        hint: 'Update the firmware.',
        details: { status },
      })
    }
    const [code, why, hint] =
      refusals[status] ?? (['INTERNAL', `it answered with status ${status}`, 'Try again.'] as const)
    return new AppError(code, `${failure}: ${reported === '' ? why : reported.replace(/\.$/, '')}.`, {
      hint,
      details: { status },
    })
  }

  #forbidden(): AppError {
    return this.#password === null
      ? new AppError('FORBIDDEN', `The Ultimate at ${this.where} requires its network password.`, {
          hint: 'Enter the password set in its menu under Network Settings > Network Password.',
        })
      : new AppError('FORBIDDEN', `The Ultimate at ${this.where} rejected the password.`, {
          hint: 'Look it up in its menu under Network Settings > Network Password, and enter it again.',
        })
  }

  #silent({ does }: RestRequest): AppError {
    return new AppError('TIMEOUT', `The Ultimate at ${this.where} did not ${does} in time.`, {
      hint: 'It may be busy. If it does not respond again, switch it off and on.',
    })
  }

  #broken(error: NodeJS.ErrnoException, { does }: RestRequest): AppError {
    const { code = '' } = error
    const why = unreachable[code]
    if (why !== undefined) {
      return new AppError('UNREACHABLE', `No Ultimate can be reached at ${this.where}: ${why}.`, {
        hint: 'Check that it is switched on, that it is in the same network, and its address in its menu (F5, System Information).',
        details: { reason: code },
      })
    }
    if (code.startsWith('HPE_')) {
      return new AppError(
        'UNREACHABLE',
        `The device at ${this.where} is not an Ultimate: it does not answer in HTTP.`,
        {
          hint: 'Check the address and the port; an Ultimate uses port 80.',
          details: { reason: code },
        },
      )
    }
    return new AppError('LOST', `The Ultimate at ${this.where} closed the connection before it could ${does}.`, {
      hint: 'Try again; if it happens often, check its network cable.',
      details: { reason: code },
    })
  }
}

const unreachable: Partial<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'the host is unknown',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the network',
  EHOSTDOWN: 'the host is down',
  ETIMEDOUT: 'the host does not answer',
  EADDRNOTAVAIL: 'the address is not valid',
}

const refusals: Partial<Record<number, readonly [ErrorCode, string, string]>> = {
  400: ['INVALID', 'the request is invalid', 'Check what was entered.'],
  403: ['CONFLICT', 'this is not allowed now', 'Close its menu and check what it shows.'],
  404: ['NOT_FOUND', 'it was not found', 'Check the name.'],
  405: ['UNSUPPORTED', 'this is not possible here', 'Use another drive or another type of file.'],
  412: ['CONFLICT', 'something it needs is missing', 'Check its ROM settings.'],
  415: [
    'INVALID',
    'the file is not supported, or the drive is in another mode',
    'Check the file and the drive’s mode.',
  ],
  423: ['BUSY', 'it is busy', 'Try again in a moment.'],
  424: ['INTERNAL', 'it could not save', 'Check its storage.'],
  500: ['INTERNAL', 'an internal error occurred', 'Try again; if it happens again, restart the Ultimate.'],
  501: ['UNSUPPORTED', 'this model does not have that function', 'Use another model or firmware.'],
  503: ['CONFLICT', 'that function is switched off or in use', 'Check its configuration, and leave its menu.'],
  507: ['CONFLICT', 'it is out of memory', 'Restart the Ultimate.'],
}

const errorsSchema = z.object({ errors: z.array(z.string()) })

const errorsIn = (bytes: Uint8Array): readonly string[] =>
  errorsSchema.safeParse(parseTolerantJson(bytes)).data?.errors ?? []

function queryText(query: NonNullable<RestRequest['query']>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** @throws AppError UNREACHABLE where the body is longer than {@link MAX_REPLY_BYTES} */
async function collect(response: IncomingMessage): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response) {
    if (!(chunk instanceof Uint8Array)) continue
    chunks.push(chunk)
    length += chunk.length
    if (length > MAX_REPLY_BYTES) {
      throw new AppError('UNREACHABLE', 'The device is not an Ultimate: its reply is too long.', {
        hint: 'Check the address and the port.',
      })
    }
  }
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

/** An IPv4 address may come as an IPv6 one. */
const plainIp = (address: string): string => address.replace(/^::ffff:/i, '')

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

const cancelled = (): AppError => new AppError('CANCELLED', 'The call to the Ultimate was cancelled.')
