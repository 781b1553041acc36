/**
 * The web server of the stand-in Ultimate, as far as bytes and connections go: four slots, a short queue, one request per
 * connection, one request at a time.
 */
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasBug, type UltimateOptions } from './ultimateOptions.ts'

export const MAX_SERVED = 4
export const MAX_QUEUED = 2
const MAX_HEADER_BYTES = 2048
const MAX_HEADER_LINES = 20

export interface HttpRequest {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** As it came. */
  readonly target: string
  /** The first twenty, with their names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  /** Only of POST. */
  readonly body: Buffer
}

export interface HttpReply {
  readonly status: number
  readonly type?: string
  /** Other header lines. */
  readonly headers?: readonly string[]
  readonly body?: Buffer
  /** Milliseconds that the call takes when timing is real. */
  readonly takes?: number
}

/** What became of a request, for the log. */
export type Outcome = number | 'dropped' | 'wedged' | 'refused' | 'header too long' | 'idle'

interface Host {
  options(): UltimateOptions
  answer(request: HttpRequest): Promise<HttpReply>
  report(request: HttpRequest | null, outcome: Outcome, strayBytes: number): void
}

/** The words that the firmware has; the rest are "Unknown". */
const phrase = (status: number): string =>
  [200, 400, 403, 404].includes(status) ? (STATUS_CODES[status] ?? '') : 'Unknown'

export function wireReply({ status, type, headers = [], body }: HttpReply): Buffer {
  const lines = [
    `HTTP/1.1 ${status} ${phrase(status)}`,
    'Connection: close',
    ...(body ? [...(type ? [`Content-Type: ${type}`] : []), `Content-Length: ${body.length}`] : []),
    ...headers,
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body ?? Buffer.alloc(0)])
}

function parseHead(head: string): Omit<HttpRequest, 'body'> {
  const [first = '', ...lines] = head.split('\r\n')
  const [verb = '', target = ''] = first.split(' ')
  const method = (['PUT', 'POST', 'DELETE'] as const).find((known) => verb.startsWith(known)) ?? 'GET'
  const headers = new Map<string, string>()
  for (const line of lines.slice(0, MAX_HEADER_LINES)) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim())
  }
  return { method, target, headers }
}

/** The body and whether it is complete. */
function takeBody(headers: ReadonlyMap<string, string>, bytes: Buffer): { body: Buffer; complete: boolean } {
  if (headers.get('transfer-encoding')?.toLowerCase().includes('chunked')) {
    const chunks: Buffer[] = []
    for (let at = 0; ;) {
      const end = bytes.indexOf('\r\n', at)
      if (end < 0) return { body: Buffer.concat(chunks), complete: false }
      const size = Number.parseInt(bytes.toString('latin1', at, end), 16) || 0
      if (size === 0) return { body: Buffer.concat(chunks), complete: true }
      if (bytes.length < end + 2 + size + 2) return { body: Buffer.concat(chunks), complete: false }
      chunks.push(bytes.subarray(end + 2, end + 2 + size))
      at = end + 2 + size + 2
    }
  }
  const length = headers.get('content-length')
  if (length === undefined) return { body: bytes, complete: false }
  const size = Number.parseInt(length, 10) || 0
  return { body: bytes.subarray(0, size), complete: bytes.length >= size }
}

export class HttpConnections {
  readonly #host: Host
  readonly #all = new Set<Socket>()
  readonly #served = new Set<Socket>()
  readonly #queued: Socket[] = []
  #dispatcher: Promise<void> = Promise.resolve()
  #requests = 0
  #hanging = false
  /** Whether a connection came or waited while nothing was answered. */
  #sawStuck = false

  constructor(host: Host) {
    this.#host = host
  }

  /** Connections in a slot now. */
  get inUse(): number {
    return this.#served.size
  }

  /** The count of `dropEvery` starts again. A device that hung no longer does, and what was asked meanwhile is forgotten. */
  change(): void {
    this.#requests = 0
    this.#hanging = false
    if (this.#sawStuck) this.destroyAll()
    this.#sawStuck = this.#stuck
  }

  /** Power is cut: every connection ends with a reset. */
  destroyAll(): void {
    this.#queued.length = 0
    for (const socket of this.#all) socket.resetAndDestroy()
    this.#all.clear()
    this.#served.clear()
    this.#hanging = false
  }

  accept(socket: Socket): void {
    socket.setNoDelay(true)
    socket.on('error', () => undefined)
    this.#all.add(socket)
    socket.on('close', () => {
      this.#all.delete(socket)
      this.#served.delete(socket)
      const at = this.#queued.indexOf(socket)
      if (at >= 0) this.#queued.splice(at, 1)
      this.#fillSlots()
    })
    if (this.#host.options().restFault === 'refuse') {
      this.#host.report(null, 'refused', 0)
      socket.resetAndDestroy()
      return
    }
    if (this.#stuck) this.#sawStuck = true
    this.#knock(socket, 1000)
  }

  /** Where slots and queue are full the device drops the SYN, and the client's system tries again after 1, 2, 4 … s. */
  #knock(socket: Socket, patience: number): void {
    if (socket.destroyed) return
    if (this.#queued.length < MAX_QUEUED || this.#served.size < MAX_SERVED) {
      this.#queued.push(socket)
      this.#fillSlots()
    } else setTimeout(() => this.#knock(socket, 2 * patience), patience).unref()
  }

  #fillSlots(): void {
    while (this.#served.size < MAX_SERVED && !this.#stuck) {
      const next = this.#queued.shift()
      if (!next) return
      this.#served.add(next)
      this.#serve(next)
    }
  }

  get #stuck(): boolean {
    return this.#hanging || this.#host.options().restFault === 'wedged'
  }

  /** The device stops answering until its power is cut. */
  hang(): void {
    this.#hanging = true
    this.#sawStuck = true
  }

  #free(socket: Socket): void {
    this.#served.delete(socket)
    this.#fillSlots()
  }

  #serve(socket: Socket): void {
    let input = Buffer.alloc(0)
    let head: Omit<HttpRequest, 'body'> | undefined
    let asked = false
    const idle = this.#host.options().restIdle ?? (hasBug(this.#host.options(), 'noIdleTimeout') ? null : 15_000)
    let stray = 0
    const ask = (body: Buffer): void => {
      if (asked || !head) return
      asked = true
      socket.setTimeout(0)
      const request = { ...head, body }
      this.#dispatcher = this.#dispatcher.then(() => this.#dispatch(socket, request, () => stray))
    }
    socket.on('timeout', () => {
      this.#host.report(null, 'idle', 0)
      socket.destroy()
    })
    if (idle !== null) socket.setTimeout(idle)
    socket.on('data', (bytes) => {
      if (asked) {
        stray += bytes.length
        return
      }
      input = Buffer.concat([input, bytes])
      if (!head) {
        const end = input.indexOf('\r\n\r\n')
        if (end > MAX_HEADER_BYTES || (end < 0 && input.length > MAX_HEADER_BYTES)) {
          asked = true
          this.#host.report(null, 'header too long', 0)
          if (hasBug(this.#host.options(), 'headerOverflow')) this.hang()
          else socket.destroy()
          return
        }
        if (end < 0) return
        head = parseHead(input.toString('latin1', 0, end))
        input = input.subarray(end + 4)
      }
      if (head.method !== 'POST') {
        stray = input.length
        ask(Buffer.alloc(0))
        return
      }
      const { body, complete } = takeBody(head.headers, input)
      if (
        complete ||
        (!head.headers.has('content-length') && !head.headers.has('transfer-encoding') && input.length === 0)
      )
        ask(body)
    })
    socket.on('end', () => {
      if (head) ask(takeBody(head.headers, input).body)
      else {
        this.#free(socket)
        socket.end()
      }
    })
  }

  async #dispatch(socket: Socket, request: HttpRequest, stray: () => number): Promise<void> {
    const options = this.#host.options()
    this.#requests += 1
    if (this.#stuck) {
      this.#sawStuck = true
      this.#host.report(request, 'wedged', stray())
      return
    }
    if (options.dropEvery !== null && this.#requests % options.dropEvery === 0) {
      this.#host.report(request, 'dropped', stray())
      socket.destroy()
      return
    }
    const reply = await this.#host.answer(request)
    const time = options.slow + (options.realTiming ? (reply.takes ?? 12) : 0)
    if (time > 0) await sleep(time)
    this.#host.report(request, this.#hanging ? 'wedged' : reply.status, stray())
    if (this.#hanging) return
    const bytes = wireReply(reply)
    const { restFault } = this.#host.options()
    if (restFault === 'cutOff') {
      const length = reply.body?.length ?? 0
      socket.end(bytes.subarray(0, length > 1 ? bytes.length - (length >> 1) : bytes.length >> 1))
    } else socket.end(bytes)
    this.#free(socket)
  }
}
