/**
 * HTTP to an Ultimate. Its server has four places, handles one call at a time and keeps no connection, so there is one
 * request in flight, each on a connection of its own.
 */
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { z } from 'zod'
import { AppError, type ErrorCode } from '@shared/contract/errors'
import type { HostAndPort } from '@shared/contract/machineName'
import { parseTolerantJson, plainText } from './json'

export interface RestRequest {
  readonly method: 'GET' | 'PUT' | 'POST'
  /** `/v1/…` with names as {@link pathPart} spells them, and its `:command`. */
  readonly path: string
  /** Only parameters that the call knows: the firmware refuses any other. */
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: { readonly type: string; readonly bytes: Uint8Array }
  /** What it does, to complete "the Ultimate could not …". */
  readonly does: string
  /** From the moment when it goes out, ms. */
  readonly deadline?: number
}

export interface RestReply {
  readonly isJson: boolean
  readonly bytes: Uint8Array
}

/** Most calls take 10 to 30 ms; starting a program takes two seconds and holds up what comes after it. */
const DEADLINE = 4_000

/** Longest reply that is believed; 64 KiB of memory is the longest that is asked for. */
const MAX_REPLY = 0x10_0000

/** Parts of a path are split at `/` after one decoding, and decoded again after that. */
const decodedTwice = /[%+/]/g

/** One name of a path, that may hold any character; a `:` in it would start the command. */
export const pathPart = (name: string): string => encodeURIComponent(name.replaceAll(decodedTwice, encodeURIComponent))

/** The two ends of the last connection, as the network knows them. */
export interface Ends {
  readonly local: string
  readonly device: string
}

export class RestClient {
  readonly #address: HostAndPort
  readonly #password: string | null
  #last: Promise<unknown> = Promise.resolve()
  #ends: Ends | null = null
  /** Hears of each request that the device answered, with `null`, and of each that it did not. */
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

  /** Known once it was spoken to: streams go from the one to the other. */
  get ends(): Ends | null {
    return this.#ends
  }

  /**
   * The body of a 200 answer. A request that is cancelled while it waits is never sent.
   * @throws AppError UNREACHABLE (nothing listens), LOST (cut off), TIMEOUT, CANCELLED, FORBIDDEN (password),
   * UNSUPPORTED (this firmware or machine has no such call), or what the device refused
   */
  send(request: RestRequest, signal: AbortSignal): Promise<RestReply> {
    const sent = this.#last.then(() => this.#sendNow(request, signal))
    this.#last = sent.catch(() => undefined)
    return new Promise((resolve, reject) => {
      const cancel = (): void => reject(cancelled())
      signal.addEventListener('abort', cancel, { once: true })
      if (signal.aborted) cancel()
      sent.then(resolve, reject).finally(() => signal.removeEventListener('abort', cancel))
    })
  }

  /** As {@link send}, for a JSON answer. A reply that is no JSON, or not of that shape, is an INTERNAL error. */
  async sendForJson<T>(request: RestRequest, schema: z.ZodType<T>, signal: AbortSignal): Promise<T> {
    const { bytes } = await this.send(request, signal)
    const parsed = schema.safeParse(parseTolerantJson(bytes))
    if (parsed.success) return parsed.data
    throw new AppError('INTERNAL', `${this.where} was to ${request.does} and gave an answer that cannot be read.`, {
      hint: 'Check that it is an Ultimate, and that its firmware is up to date.',
      details: { unreadable: true },
    })
  }

  #sendNow(request: RestRequest, signal: AbortSignal): Promise<RestReply> {
    if (signal.aborted) return Promise.reject(cancelled())
    return new Promise((resolve, reject) => {
      const { method, path, query = {}, body, deadline = DEADLINE } = request
      const password = this.#password
      const sending = httpRequest({
        ...this.#address,
        agent: false,
        method,
        path: path + queryText(query),
        headers: {
          // First, as the device keeps only the first lines of the header.
          ...(password === null ? {} : { 'X-Password': password }),
          Connection: 'close',
          ...(body ? { 'Content-Type': body.type, 'Content-Length': body.bytes.length } : {}),
        },
      })
      let isSettled = false
      const settle = (settled: () => void): void => {
        // Giving up a request makes it fail, too.
        if (isSettled) return
        isSettled = true
        clearTimeout(timer)
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
      const timer = setTimeout(() => fail(this.#silent(request)), deadline)
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
    const could = `The Ultimate at ${this.where} could not ${does}`
    const said = plainText(errors.join(' '))
    if (status === 403 && said.startsWith('Forbidden')) return this.#forbidden()
    if (status === 404 && !isJson && errors.length === 0) {
      return new AppError('UNSUPPORTED', `${could}: its firmware does not know the call.`, {
        hint: 'Update the firmware, or check that this is an Ultimate.',
        details: { status },
      })
    }
    if (said.includes('does not have parameter')) {
      return new AppError('UNSUPPORTED', `${could}: its firmware does not know all that was asked (${said}).`, {
        hint: 'Update the firmware.',
        details: { status },
      })
    }
    const [code, why, hint] =
      refusals[status] ?? (['INTERNAL', `it answered with status ${status}`, 'Try again.'] as const)
    return new AppError(code, `${could}: ${said === '' ? why : said.replace(/\.$/, '')}.`, {
      hint,
      details: { status },
    })
  }

  #forbidden(): AppError {
    return this.#password === null
      ? new AppError('FORBIDDEN', `The Ultimate at ${this.where} asks for its network password.`, {
          hint: 'Enter the password that is set in its menu under Network Settings > Network Password.',
        })
      : new AppError('FORBIDDEN', `The Ultimate at ${this.where} does not take this password.`, {
          hint: 'Look it up in its menu under Network Settings > Network Password, and enter it again.',
        })
  }

  #silent({ does }: RestRequest): AppError {
    return new AppError('TIMEOUT', `The Ultimate at ${this.where} did not ${does} in time.`, {
      hint: 'It may be busy with a long action; if it stays silent, switch it off and on again.',
    })
  }

  #broken(error: NodeJS.ErrnoException, { does }: RestRequest): AppError {
    const { code = '' } = error
    const why = unreachable[code]
    if (why !== undefined) {
      return new AppError('UNREACHABLE', `No Ultimate can be reached at ${this.where}: ${why}.`, {
        hint: 'Check that it is switched on and in the same network, and its address in its menu (F5, System Information).',
        details: { reason: code },
      })
    }
    if (code.startsWith('HPE_')) {
      return new AppError('UNREACHABLE', `What answers at ${this.where} does not speak HTTP as an Ultimate does.`, {
        hint: 'Check the address and the port: an Ultimate’s is 80.',
        details: { reason: code },
      })
    }
    return new AppError('LOST', `The Ultimate at ${this.where} broke off when it was to ${does}.`, {
      hint: 'Try again; if it happens often, look at its network cable.',
      details: { reason: code },
    })
  }
}

const unreachable: Partial<Record<string, string>> = {
  ECONNREFUSED: 'nothing takes connections there',
  ENOTFOUND: 'no such host is known',
  EAI_AGAIN: 'the host’s name could not be looked up',
  EHOSTUNREACH: 'there is no way to that host',
  ENETUNREACH: 'there is no way to that network',
  EHOSTDOWN: 'the host is down',
  ETIMEDOUT: 'the host does not answer',
  EADDRNOTAVAIL: 'this is not an address that can be reached',
}

const refusals: Partial<Record<number, readonly [ErrorCode, string, string]>> = {
  400: ['INVALID', 'it did not take what was sent', 'Check what was entered.'],
  403: ['CONFLICT', 'it does not allow that now', 'Close its menu and look at what it shows.'],
  404: ['NOT_FOUND', 'there is no such thing on it', 'Check the name.'],
  405: ['UNSUPPORTED', 'that is not possible with it', 'Use another drive or another kind of file.'],
  412: ['CONFLICT', 'something that it needs for that is missing', 'Check its ROM settings.'],
  415: [
    'INVALID',
    'it does not understand the file, or the drive is in another mode',
    'Check the file and the drive’s mode.',
  ],
  423: ['BUSY', 'it is busy with something else', 'Try again in a moment.'],
  424: ['INTERNAL', 'it could not save', 'Check the medium in it.'],
  500: ['INTERNAL', 'it failed at it', 'Try again; if it stays so, restart the Ultimate.'],
  501: ['UNSUPPORTED', 'this model has no such function', 'It needs another model or firmware.'],
  503: ['CONFLICT', 'that part of it is switched off or in use', 'Look at its configuration, and leave its menu.'],
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

/** The whole body; rejects when it is cut off or endless. */
async function collect(response: IncomingMessage): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response) {
    if (!(chunk instanceof Uint8Array)) continue
    chunks.push(chunk)
    length += chunk.length
    if (length > MAX_REPLY) {
      throw new AppError('UNREACHABLE', 'What answers there sends more than an Ultimate does.', {
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

/** An IPv4 address may show as one of IPv6. */
const plainIp = (address: string): string => address.replace(/^::ffff:/i, '')

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

const cancelled = (): AppError => new AppError('CANCELLED', 'The call to the Ultimate was given up.')
