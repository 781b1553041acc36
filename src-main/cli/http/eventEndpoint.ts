import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import { AgentSession } from '../mcp/agentSession'
import { callerName } from './apiEndpoint'
import { EventSocket } from './eventSocket'
import type { Limits } from './limits'
import { tooMany } from './refusal'
import type { Served } from './served'

const MAX_MESSAGE_BYTES = 64 * 1024
const GOING_AWAY = 1001
const PROTOCOL = 'bridgedeck'

export class EventEndpoint {
  readonly #served: Served
  readonly #limits: Limits
  readonly #server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    clientTracking: true,
    handleProtocols: (offered) => offered.has(PROTOCOL) && PROTOCOL,
  })
  readonly #answered = new WeakSet<WebSocket>()
  readonly #heartbeat: NodeJS.Timeout

  constructor(served: Served, limits: Limits) {
    this.#served = served
    this.#limits = limits
    this.#heartbeat = setInterval(() => this.#dropSilent(), limits.stalledMs)
    this.#heartbeat.unref()
  }

  get size(): number {
    return this.#server.clients.size
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (this.size >= this.#limits.sockets) throw tooMany(`${this.#limits.sockets} WebSockets are open already.`)
    this.#server.handleUpgrade(request, socket, head, (opened) => {
      const name = callerName(request)
      this.#answered.add(opened)
      opened.on('pong', () => this.#answered.add(opened))
      new EventSocket(opened, new AgentSession(this.#served.context, this.#served.allowed, () => name))
    })
  }

  close(): void {
    clearInterval(this.#heartbeat)
    for (const socket of this.#server.clients) {
      socket.close(GOING_AWAY, 'The server ends.')
      socket.terminate()
    }
    this.#server.close()
  }

  /** A client that did not answer the last ping reads nothing, or is gone. */
  #dropSilent(): void {
    for (const socket of this.#server.clients) {
      if (this.#answered.delete(socket)) socket.ping()
      else socket.terminate()
    }
  }
}
