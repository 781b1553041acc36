import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CancelledNotificationSchema,
  isInitializeRequest,
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
} from '@modelcontextprotocol/sdk/types.js'
import { AppError } from '@shared/contract/errors'
import { AgentSession } from '../mcp/agentSession'
import { createMcpServer } from '../mcp/server'
import { ClientTable } from './clientTable'
import type { Limits } from './limits'
import { readJson } from './readBody'
import { notThere, Refusal } from './refusal'
import type { Served } from './served'
import { StreamStore } from './streamStore'

const METHODS = ['POST', 'GET', 'DELETE']

export class McpEndpoint {
  readonly #served: Served
  readonly #limits: Limits
  readonly #sessions: ClientTable<McpSession>

  constructor(served: Served, limits: Limits) {
    this.#served = served
    this.#limits = limits
    this.#sessions = new ClientTable({
      what: 'sessions of agents',
      max: limits.sessions,
      maxRunning: limits.requestsOfOne,
      idleMs: limits.idleMs,
    })
  }

  get size(): number {
    return this.#sessions.size
  }

  /** @throws Refusal */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '' } = request
    if (!METHODS.includes(method))
      throw new Refusal(405, new AppError('INVALID', 'This address takes POST, GET and DELETE.'), {
        Allow: METHODS.join(', '),
      })
    const body = method === 'POST' ? await readJson(request, this.#limits.bodyBytes) : undefined
    if (Array.isArray(body)) throw new AppError('INVALID', 'Send one message in each request.')
    const id = request.headers['mcp-session-id']
    const session = id === undefined ? await this.#begin(body) : this.#sessions.get(String(id))
    if (!session) throw notThere('This session has ended. Begin another one with “initialize”.')
    await session.handle(request, response, body)
  }

  closeAll(): Promise<void> {
    return this.#sessions.closeAll()
  }

  async #begin(body: unknown): Promise<McpSession> {
    if (!isInitializeRequest(body))
      throw new AppError('INVALID', 'The header Mcp-Session-Id is missing. A session begins with “initialize”.')
    this.#sessions.requirePlace()
    const session = new McpSession(this.#served, body.params.clientInfo.name, {
      began: (id) => {
        this.#sessions.add(id, session)
        this.#served.tell(`${session.name} began a session.`)
      },
      runs: (id) => this.#sessions.begin(id),
      ended: (id) => {
        this.#sessions.remove(id)
        this.#served.tell(`${session.name} ended its session.`)
      },
    })
    await session.open()
    return session
  }
}

interface Watcher {
  began(id: string): void
  /**
   * @returns a function to call when it has ended
   * @throws Refusal
   */
  runs(id: string): () => void
  ended(id: string): void
}

class McpSession {
  readonly #transport: StreamableHTTPServerTransport
  readonly #server: McpServer
  readonly #agent: AgentSession
  readonly #watcher: Watcher
  /** Requests without an answer yet: a client that goes away does not end them. */
  readonly #running = new Map<string | number, () => void>()
  #id = ''
  #isOpen = true

  constructor({ context, allowed, version }: Served, name: string, watcher: Watcher) {
    this.#watcher = watcher
    this.#agent = new AgentSession(context, allowed, () => name)
    this.#server = createMcpServer({ version, allowed, asksPerson: false, agent: this.#agent })
    this.#transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: new StreamStore(),
      onsessioninitialized: (id) => {
        this.#id = id
        watcher.began(id)
      },
    })
  }

  get name(): string {
    return this.#agent.name
  }

  open(): Promise<void> {
    return this.#server.connect(this.#countedTransport())
  }

  /** @throws Refusal where too much runs already */
  async handle(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
    if (isJSONRPCRequest(body)) this.#begin(response, body.id)
    if (request.method === 'GET') response.once('close', this.#watcher.runs(this.#id))
    await this.#transport.handleRequest(request, response, body)
    if (isJSONRPCRequest(body) && response.statusCode >= 400) this.#answered(body.id)
    if (this.#id === '') await this.close()
  }

  /**
   * Lasts until the answer is made. Cancelling, and the end of the session, always have a place.
   * @throws Refusal
   */
  #begin(response: ServerResponse, request: string | number): void {
    const end = this.#watcher.runs(this.#id)
    if (this.#id === '' || this.#running.has(request)) response.once('close', end)
    else this.#running.set(request, end)
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return
    this.#isOpen = false
    if (this.#id !== '') this.#watcher.ended(this.#id)
    for (const id of [...this.#running.keys()]) this.#answered(id)
    await this.#server.close()
    await this.#agent.close()
  }

  #answered(id: string | number): void {
    this.#running.get(id)?.()
    this.#running.delete(id)
  }

  #countedTransport(): Transport {
    const inner = this.#transport
    const counted: Transport = {
      start: () => inner.start(),
      send: async (message, options) => {
        const id = answeredBy(message)
        if (id !== undefined) this.#answered(id)
        await inner.send(
          message,
          options?.relatedRequestId === undefined ? {} : { relatedRequestId: options.relatedRequestId },
        )
      },
      close: () => inner.close(),
    }
    inner.onmessage = (message, extra) => {
      const { data: cancelled } = CancelledNotificationSchema.safeParse(message)
      if (cancelled?.params.requestId !== undefined) this.#answered(cancelled.params.requestId)
      counted.onmessage?.(message, extra)
    }
    inner.onerror = (error) => counted.onerror?.(error)
    inner.onclose = () => {
      counted.onclose?.()
      void this.close()
    }
    return counted
  }
}

const answeredBy = (message: JSONRPCMessage): string | number | undefined =>
  isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message) ? message.id : undefined
