import { BridgedeckError, errorOf, headersFor, isRecord, unreachable, type Server } from './calls.ts'
import type { EventName, EventPayloads, Frame, FrameRequest } from './generated.ts'

/** `pixels` is present where the picture was asked for: 4 bits each, low nibble left, VIC-II colours. */
export type ReceivedFrame = Frame & { readonly pixels?: Uint8Array }

export interface Events {
  on<Name extends EventName>(name: Name, listener: (payload: EventPayloads[Name]) => void): () => void
  /**
   * Skipped frames are counted in the next one.
   * @returns a function that stops them
   */
  frames(request: FrameRequest, listener: (frame: ReceivedFrame) => void): () => void
  onError(listener: (error: BridgedeckError) => void): void
  readonly closed: Promise<string>
  close(): void
}

type Listener = (payload: never) => void

/** @throws BridgedeckError where no server answers, or it refuses */
export async function openEvents(server: Server): Promise<Events> {
  const address = new URL('/api/events', server.url)
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
  if (server.name !== undefined) address.searchParams.set('name', server.name)
  // A WebSocket cannot send our headers, so one of its two protocols carries the token.
  const socket = new WebSocket(address, ['bridgedeck', `bearer.${server.token}`])
  socket.binaryType = 'arraybuffer'
  await new Promise<void>((resolve, reject) => {
    socket.onopen = () => resolve()
    socket.onerror = () => void whyRefused(server).then(reject)
  })
  return new EventStream(socket)
}

/** A WebSocket does not tell why it was refused; a plain request to the same address does. */
async function whyRefused(server: Server): Promise<BridgedeckError> {
  const response = await fetch(new URL('/api/events', server.url), { headers: headersFor(server) }).catch(
    () => undefined,
  )
  if (!response) return unreachable(server.url, undefined)
  const body: unknown = await response.json().catch(() => undefined)
  const isThere = response.status === UPGRADE_REQUIRED
  return isThere
    ? new BridgedeckError('BUSY', 'The server opens no more WebSockets now.')
    : errorOf(response.status, body)
}

const UPGRADE_REQUIRED = 426

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
    const { message, pixels } =
      data instanceof ArrayBuffer ? unpack(data) : { message: messageOf(data), pixels: undefined }
    switch (message?.kind) {
      case 'event':
        for (const listen of this.#listeners.get(message.event) ?? []) listen(message.payload)
        break
      case 'frame':
        this.#frames.get(message.id)?.(pixels ? { ...message, pixels } : message)
        break
      case 'failed': {
        const { code, message: text, hint } = message.error
        for (const listen of this.#errors) listen(new BridgedeckError(code, text, { hint }))
      }
    }
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

function messageOf(text: unknown): Message | undefined {
  try {
    const value: unknown = JSON.parse(String(text))
    return isRecord(value) ? (value as Message) : undefined
  } catch {
    return undefined
  }
}

/** The length of the JSON (32 bits, big-endian), the JSON, the pixels. */
function unpack(data: ArrayBuffer): { message: Message | undefined; pixels: Uint8Array | undefined } {
  const length = data.byteLength < 4 ? Infinity : new DataView(data).getUint32(0)
  if (4 + length > data.byteLength) return { message: undefined, pixels: undefined }
  const message = messageOf(new TextDecoder().decode(new Uint8Array(data, 4, length)))
  return { message, pixels: new Uint8Array(data, 4 + length) }
}
