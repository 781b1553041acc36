import { once } from 'node:events'
import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { AppError } from '@shared/contract/errors'
import { isCode } from '../../files/fileErrors'
import { requireOwnName, requireToken, requireTokenOrPassword, requireTokenOrProtocol, type Access } from './access'
import { ApiEndpoint } from './apiEndpoint'
import { apiPage, pageHeaders } from './apiPage'
import { ConnectionRooms } from './connectionRooms'
import { EventEndpoint } from './eventEndpoint'
import { usualLimits, type Limits } from './limits'
import { McpEndpoint } from './mcpEndpoint'
import { openApi } from './openApi'
import { errorBody, notThere, ownHeaders, Refusal, sendJson, sendRefusal, tooMany, toRefusal } from './refusal'
import type { Served } from './served'

const LOOPBACK = '127.0.0.1'
const MAX_HEADER_BYTES = 16 * 1024

export interface HttpOptions extends Served {
  /** 0 for any free port. */
  readonly port: number
  readonly token: string
  readonly limits?: Limits
}

export class HttpServer {
  readonly #options: HttpOptions
  readonly #limits: Limits
  readonly #server: Server
  readonly #mcp: McpEndpoint
  readonly #api: ApiEndpoint
  readonly #events: EventEndpoint
  readonly #asking = new Set<Duplex>()
  readonly #rooms: ConnectionRooms
  #running = 0

  private constructor(options: HttpOptions) {
    const { limits = usualLimits } = options
    this.#options = options
    this.#limits = limits
    this.#mcp = new McpEndpoint(options, limits)
    this.#api = new ApiEndpoint(options, limits)
    this.#events = new EventEndpoint(options, limits)
    const { headersMs, requestMs } = limits
    this.#server = createServer(
      {
        headersTimeout: headersMs,
        requestTimeout: requestMs,
        connectionsCheckingInterval: headersMs / 10,
        keepAliveTimeout: headersMs,
        maxHeaderSize: MAX_HEADER_BYTES,
      },
      (request, response) => void this.#answer(request, response),
    )
    this.#rooms = new ConnectionRooms(limits)
    this.#server.on('connection', (socket) => this.#rooms.add(socket))
    this.#server.setTimeout(limits.stalledMs, (socket) => {
      // A client may be silent during a long call or a stream, but must take the data that waits for it.
      if (socket.writableLength > 0 || !this.#asking.has(socket)) socket.destroy()
    })
    this.#server.on('checkContinue', (request, response) => {
      // `Expect: 100-continue`: a body that is too long is refused before it is sent.
      if (Number(request.headers['content-length'] ?? 0) <= limits.bodyBytes) response.writeContinue()
      void this.#answer(request, response)
    })
    this.#server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head))
  }

  static async start(options: HttpOptions): Promise<HttpServer> {
    const started = new HttpServer(options)
    started.#server.listen(options.port, LOOPBACK)
    try {
      await once(started.#server, 'listening')
    } catch (error) {
      await started.close()
      if (!isCode(error, 'EADDRINUSE', 'EACCES')) throw error
      throw new AppError('CONFLICT', `Port ${options.port} is in use, or not allowed.`, {
        hint: 'Choose another with --port, or --port 0 for any that is free.',
        cause: error,
      })
    }
    return started
  }

  get url(): string {
    return `http://${LOOPBACK}:${this.#access.port}`
  }

  get open() {
    return { sessions: this.#mcp.size, sockets: this.#events.size, requests: this.#running, ...this.#rooms.size }
  }

  async close(): Promise<void> {
    this.#events.close()
    await this.#mcp.closeAll()
    await this.#api.closeAll()
    this.#server.close()
    this.#server.closeAllConnections()
  }

  get #access(): Access {
    const address: AddressInfo | string | null = this.#server.address()
    return { port: typeof address === 'object' && address ? address.port : 0, token: this.#options.token }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { socket } = request
    this.#asking.add(socket)
    response.once('close', () => this.#asking.delete(socket))
    try {
      requireOwnName(request, this.#access)
      await this.#route(request, response)
    } catch (error) {
      const refusal = toRefusal(error)
      if (pathOf(request) === '/mcp') sendMcpRefusal(response, refusal)
      else sendRefusal(response, refusal)
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = pathOf(request)
    const [, first, ...rest] = path.split('/')
    if (path === '/api' || path === '/api/openapi.json') {
      requireTokenOrPassword(request, this.#access)
      this.#begin(request, response)
      this.#describe(path, request, response)
      return
    }
    requireToken(request, this.#access)
    this.#begin(request, response)
    if (path === '/mcp') await this.#mcp.handle(request, response)
    else if (path === '/api/events')
      throw new Refusal(426, new AppError('INVALID', 'Events come over a WebSocket.'), { Upgrade: 'websocket' })
    else if (first === 'api' && rest.length === 2) await this.#api.handle(request, response, rest)
    else throw notThere('Nothing is at this address. There are /api, /api/TOOL/OP, /api/events and /mcp.')
  }

  /**
   * Counts a request that has the token.
   * @throws Refusal
   */
  #begin({ socket }: IncomingMessage, response: ServerResponse): void {
    this.#rooms.welcome(socket)
    if (this.#running >= this.#limits.requests)
      throw tooMany(`${this.#limits.requests} requests are being answered already.`)
    this.#running++
    response.once('close', () => this.#running--)
  }

  #describe(path: string, { method }: IncomingMessage, response: ServerResponse): void {
    if (method !== 'GET') throw new Refusal(405, new AppError('INVALID', 'This address takes GET.'), { Allow: 'GET' })
    const { version } = this.#options
    if (path === '/api/openapi.json') {
      sendJson(response, 200, openApi(version, this.url))
      return
    }
    response.writeHead(200, { ...ownHeaders, ...pageHeaders })
    response.end(apiPage(version, this.url))
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // The socket may go away at any time, and nothing else hears of it here.
    socket.on('error', () => undefined)
    try {
      requireOwnName(request, this.#access)
      requireTokenOrProtocol(request, this.#access)
      this.#rooms.welcome(request.socket)
      if (pathOf(request) !== '/api/events') throw notThere('WebSockets are at /api/events.')
      this.#events.upgrade(request, socket, head)
    } catch (error) {
      const { status, failure, headers } = toRefusal(error)
      const body = `${JSON.stringify(errorBody(failure))}\n`
      const lines = Object.entries({
        ...ownHeaders,
        ...headers,
        'Content-Type': 'application/json',
        'Content-Length': String(Buffer.byteLength(body)),
        Connection: 'close',
      }).map(([name, value]) => `${name}: ${value}`)
      socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body].join('\r\n'))
    }
  }
}

const pathOf = ({ url = '' }: IncomingMessage): string => url.replace(/\?.*$/s, '')

function sendMcpRefusal(response: ServerResponse, { status, failure, headers }: Refusal): void {
  const { code, message, hint } = failure
  const text = hint === undefined ? message : `${message} ${hint}`
  sendJson(
    response,
    status,
    { jsonrpc: '2.0', error: { code: -32000, message: text, data: { code } }, id: null },
    headers,
  )
}
