import { once } from 'node:events'
import type { RawData, WebSocket } from 'ws'
import { AppError, toFailure, type Failure } from '@shared/contract/errors'
import { describeIssues } from '@shared/contract/describeIssues'
import type { AgentSession } from '../mcp/agentSession'
import type { Session } from '../session'
import {
  fromClientSchema,
  packFrame,
  scriptEvents,
  type FramesRequest,
  type ScriptEvent,
  type ToClient,
} from './eventMessages'
import { startFrames } from './frameFeed'
import { frameReader } from './readFrame'

/** A reader with so many unread bytes gets no new frame. */
const BEHIND_BYTES = 256 * 1024
/** A reader with so many unread bytes is dropped. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024
const MAX_FEEDS = 8
const MAX_MESSAGES_A_SECOND = 100

const POLICY = 1008
const RESTART = 1012

export class EventSocket {
  readonly #socket: WebSocket
  readonly #agent: AgentSession
  readonly #events = new Set<ScriptEvent>()
  readonly #feeds = new Map<string, () => void>()
  #heard: Session | undefined
  #messages = 0
  readonly #second: NodeJS.Timeout

  constructor(socket: WebSocket, agent: AgentSession) {
    this.#socket = socket
    this.#agent = agent
    this.#second = setInterval(() => {
      this.#messages = 0
      // A person may have ended the bridge: a client that wants another one connects again.
      if (this.#heard?.isOpen === false) socket.close(RESTART, 'Bridgedeck ended. Connect again.')
    }, 1000)
    socket.on('message', (data, isBinary) => this.#onMessage(data, isBinary))
    socket.on('close', () => this.#end())
    socket.on('error', () => undefined)
  }

  #onMessage(data: RawData, isBinary: boolean): void {
    if (++this.#messages > MAX_MESSAGES_A_SECOND) {
      this.#socket.close(POLICY, `More than ${MAX_MESSAGES_A_SECOND} messages in a second.`)
      return
    }
    try {
      this.#take(isBinary ? '' : textOf(data))
    } catch (error) {
      this.#fail(null, toFailure(error))
    }
  }

  #take(text: string): void {
    const parsed = fromClientSchema.safeParse(jsonOf(text))
    if (!parsed.success)
      throw new AppError('INVALID', `This message is not known: ${describeIssues(parsed.error.issues)}.`, {
        hint: 'Its kind is subscribe, unsubscribe, frames or stop.',
      })
    const message = parsed.data
    switch (message.kind) {
      case 'subscribe':
        for (const event of message.events) this.#events.add(event)
        this.#send({ kind: 'subscribed', events: [...this.#events] })
        void this.#begin(message.events)
        break
      case 'unsubscribe':
        for (const event of message.events) this.#events.delete(event)
        this.#send({ kind: 'subscribed', events: [...this.#events] })
        break
      case 'frames': {
        const { id } = message
        this.#feeds.get(id)?.()
        this.#feeds.delete(id)
        if (this.#feeds.size >= MAX_FEEDS)
          throw new AppError('BUSY', `There are ${MAX_FEEDS} kinds of frames already. Stop one of them.`)
        this.#feeds.set(id, this.#follow(message))
        break
      }
      case 'stop':
        this.#feeds.get(message.id)?.()
        this.#feeds.delete(message.id)
        this.#send({ kind: 'stopped', id: message.id })
        break
    }
  }

  #follow(request: FramesRequest): () => void {
    const { id, rate, machine } = request
    const ended = new AbortController()
    const follow = async (): Promise<void> => {
      if (ended.signal.aborted) return
      const stop = startFrames({
        rate,
        read: frameReader(request, () => this.#session()),
        isBehind: () => this.#socket.bufferedAmount > BEHIND_BYTES,
        send: (frame, pixels) => (pixels ? this.#post(packFrame(frame, pixels)) : this.#send(frame)),
        fail: (failure) => this.#fail(id, failure),
      })
      await once(ended.signal, 'abort')
      stop()
    }
    this.#agent.steered
      .during({ title: 'frames', rights: ['look'], text: machine }, ended.signal, follow)
      .catch((error: unknown) => this.#fail(id, toFailure(error)))
    return () => ended.abort()
  }

  async #begin(events: readonly ScriptEvent[]): Promise<void> {
    try {
      const { client } = await this.#session()
      if (!events.includes('machine.states')) return
      this.#tell('machine.states', await client.call('machine.list', {}))
    } catch (error) {
      this.#fail(null, toFailure(error))
    }
  }

  async #session(): Promise<Session> {
    const session = this.#heard ?? (await this.#agent.context.openSession())
    if (this.#heard) return this.#heard
    this.#heard = session
    for (const event of scriptEvents) session.client.onEvent(event, (payload) => this.#tell(event, payload))
    return session
  }

  #tell(event: ScriptEvent, payload: unknown): void {
    if (this.#events.has(event)) this.#send({ kind: 'event', event, payload })
  }

  #fail(id: string | null, error: Failure): void {
    this.#send({ kind: 'failed', id, error })
  }

  #send(message: ToClient): void {
    this.#post(JSON.stringify(message))
  }

  #post(data: string | Uint8Array): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return
    // The client reads nothing, so it would not read the reason either.
    if (this.#socket.bufferedAmount > MAX_UNREAD_BYTES) this.#socket.terminate()
    else this.#socket.send(data)
  }

  #end(): void {
    clearInterval(this.#second)
    for (const stop of this.#feeds.values()) stop()
    this.#feeds.clear()
    this.#agent.close().catch(() => undefined)
  }
}

const textOf = (data: RawData): string =>
  (Array.isArray(data) ? Buffer.concat(data) : data instanceof ArrayBuffer ? Buffer.from(data) : data).toString()

/** @throws AppError INVALID */
function jsonOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch (error) {
    throw new AppError('INVALID', 'Messages are JSON texts.', { cause: error })
  }
}
