/** Events of Bridgedeck and frames of machines, over a WebSocket. */
import { BridgedeckError, unreachable, type Server } from './calls.ts'
import type { EventName, EventPayloads, Frame, FrameRequest } from './generated.ts'

/** A frame; `pixels` where its picture was asked for: 4 bits each, low nibble left, colours of the VIC-II. */
export type ReceivedFrame = Frame & { readonly pixels?: Uint8Array }

export interface Events {
  /** @returns stops listening */
  on<Name extends EventName>(name: Name, listener: (payload: EventPayloads[Name]) => void): () => void
  /**
   * Frames of a machine at a rate; one that is left out is counted in the next.
   * @returns stops them
   */
  frames(request: FrameRequest, listener: (frame: ReceivedFrame) => void): () => void
  /** What went wrong with what was asked for, such as a machine that is away. */
  onError(listener: (error: BridgedeckError) => void): void
  /** Resolves once the connection ends, with the reason. */
  readonly closed: Promise<string>
  close(): void
}

type Listener = (payload: never) => void

/** @throws BridgedeckError where no server answers, or it refuses */
export async function openEvents(server: Server): Promise<Events> {
  const address = new URL('/api/events', server.url)
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
  if (server.name !== undefined) address.searchParams.set('name', server.name)
  // This WebSocket sends no headers of ours: of the two protocols that it offers, one is the token.
  const socket = new WebSocket(address, ['bridgedeck', `bearer.${server.token}`])
  socket.binaryType = 'arraybuffer'
  await new Promise<void>((resolve, reject) => {
    socket.onopen = () => resolve()
    socket.onerror = () => reject(unreachable(server.url, undefined))
  })
  return new EventStream(socket)
}

class EventStream implements Events {
  readonly closed: Promise<string>
  readonly #socket: WebSocket
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #frames = new Map<string, (frame: ReceivedFrame) => void>()
  readonly #errors: ((error: BridgedeckError) => void)[] = []
  #count = 0

  constructor(socket: WebSocket) {
    this.#socket = socket
    this.closed = new Promise((resolve) => (socket.onclose = ({ reason }) => resolve(reason)))
    socket.onerror = null
    socket.onmessage = ({ data }) => this.#take(data)
  }

  on<Name extends EventName>(name: Name, listener: (payload: EventPayloads[Name]) => void): () => void {
    const listeners = this.#listeners.get(name) ?? new Set()
    if (listeners.size === 0) this.#send({ kind: 'subscribe', events: [name] })
    this.#listeners.set(name, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) this.#send({ kind: 'unsubscribe', events: [name] })
    }
  }

  frames(request: FrameRequest, listener: (frame: ReceivedFrame) => void): () => void {
    const id = `f${++this.#count}`
    this.#frames.set(id, listener)
    this.#send({ kind: 'frames', id, ...request })
    return () => {
      this.#frames.delete(id)
      this.#send({ kind: 'stop', id })
    }
  }

  onError(listener: (error: BridgedeckError) => void): void {
    this.#errors.push(listener)
  }

  close(): void {
    this.#socket.close()
  }

  #send(message: object): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message))
  }

  #take(data: unknown): void {
    if (data instanceof ArrayBuffer) this.#takeFrame(data)
    if (typeof data !== 'string') return
    const message = messageOf(data)
    // The server is this program's own other half: what it sends has the types that were made from its schemas.
    if (message.kind === 'event') for (const listen of this.#listeners.get(message.event) ?? []) listen(message.payload)
    if (message.kind === 'frame') this.#frames.get(message.id)?.(message)
    if (message.kind === 'failed') {
      const { code, message: text, hint } = message.error
      for (const listen of this.#errors) listen(new BridgedeckError(code, text, { hint }))
    }
  }

  #takeFrame(data: ArrayBuffer): void {
    const length = new DataView(data).getUint32(0)
    const message = messageOf(new TextDecoder().decode(new Uint8Array(data, 4, length)))
    if (message.kind === 'frame')
      this.#frames.get(message.id)?.({ ...message, pixels: new Uint8Array(data, 4 + length) })
  }
}

type Message =
  | { readonly kind: 'event'; readonly event: string; readonly payload: never }
  | {
      readonly kind: 'failed'
      readonly error: { readonly code: string; readonly message: string; readonly hint?: string }
    }
  | { readonly kind: 'subscribed' | 'stopped' }
  | Frame

const messageOf = (text: string): Message => JSON.parse(text) as Message
