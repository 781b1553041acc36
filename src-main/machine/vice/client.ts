/**
 * One TCP connection to VICE's binary monitor. Any command stops the machine at the next end of a frame, and only some
 * let it continue, so commands are sent in traps: each in one write, one trap at a time.
 */
import { connect as connectSocket, type Socket } from 'node:net'
import { AppError } from '@shared/contract/errors'
import {
  Decoder,
  encodeRequest,
  endsAnswer,
  EVENT_ID,
  parseAnswer,
  type ApiVersion,
  type Message,
  type Request,
} from './codec'
import { AnswerTimer } from '../answerTimer'
import { Listeners } from '../listeners'
import { exit, ping } from './commands'
import { parseEvent, type Event } from './events'

export interface MonitorAddress {
  readonly host: string
  readonly port: number
}

/** Adds a request to the trap; must be called before anything is awaited. */
export type Send = <Reply>(request: Request<Reply>) => Promise<Reply>

/**
 * For the TCP connection, for VICE's first answer, and by default for a trap. It counts from the last bytes that came: long
 * answers, and many traps at once, take long without VICE being silent.
 */
const DEADLINE_MS = 2_000

const READ_BUFFER_BYTES = 0x4_0000

/** After this many bytes that are no message, the other side is not VICE. */
const MAX_GARBAGE_BYTES = 64

interface WaitingTrap {
  readonly begin: () => void
  readonly timer: AnswerTimer
}

interface Pending {
  readonly request: Request<unknown>
  readonly items: Message[]
  readonly answer: (last: Message) => void
  readonly fail: (error: unknown) => void
}

export class MonitorClient {
  readonly #socket: Socket
  readonly #where: string
  readonly #decoder = new Decoder()
  readonly #pending = new Map<number, Pending>()
  #waiting: WaitingTrap[] = []
  readonly #traps = new Set<(reason: AppError) => void>()
  readonly #eventListeners = new Listeners<Event>()
  readonly #closeListeners = new Listeners<AppError>()
  readonly #silenceListeners = new Listeners<boolean>()
  readonly onEvent = this.#eventListeners.add
  readonly onClose = this.#closeListeners.add
  readonly onSilence = this.#silenceListeners.add
  /** Kept until the trap's last answer, even if nobody waits for it, as the next trap waits for that. */
  #deadline: AnswerTimer | undefined
  #overdue = false
  #nextId = 1
  #api: ApiVersion = 1
  #hasAnswered = false
  #answeredAt = performance.now()
  #closed: AppError | undefined

  /**
   * The machine keeps running.
   * @throws AppError UNREACHABLE where no VICE listens, TIMEOUT where VICE accepts the connection but does not answer
   */
  static async connect(address: MonitorAddress, signal: AbortSignal, deadline = DEADLINE_MS): Promise<MonitorClient> {
    let receive = (_bytes: Uint8Array): void => undefined
    const socket = await openSocket(address, signal, (bytes) => receive(bytes))
    const client = new MonitorClient(socket, describe(address))
    receive = (bytes) => client.#receive(bytes)
    try {
      // Every VICE understands protocol version 1; its answer has the version that it speaks.
      await client.trap((send) => Promise.all([send(ping()), send(exit())]), signal, deadline)
      return client
    } catch (error) {
      client.close()
      throw client.#decoder.skipped > 0 && !client.#hasAnswered ? notVice(client.#where) : error
    }
  }

  private constructor(socket: Socket, where: string) {
    this.#socket = socket
    this.#where = where
    socket.on('error', () => undefined) // `close` follows
    socket.on('close', () => this.#end(this.#hasAnswered ? lost(where) : notVice(where)))
  }

  /** The protocol version that VICE answered with: 1 is VICE 3.5, 2 any later. */
  get api(): ApiVersion {
    return this.#api
  }

  get busy(): boolean {
    return this.#deadline !== undefined
  }

  get closed(): boolean {
    return this.#closed !== undefined
  }

  get answeredAt(): number {
    return this.#answeredAt
  }

  get silent(): boolean {
    return this.#overdue
  }

  /**
   * Sends all requests of `work` in one write, once earlier traps are done. The machine stays stopped unless a request
   * lets it run. A trap cancelled or late before it was written is never written.
   * @param isFirst before the traps that wait
   * @throws AppError LOST, TIMEOUT, CANCELLED, or VICE's refusal
   */
  trap<Result>(
    work: (send: Send) => Promise<Result>,
    signal: AbortSignal,
    deadline = DEADLINE_MS,
    isFirst = false,
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      const refused = this.#closed ?? (signal.aborted ? cancelled() : undefined)
      if (refused) {
        reject(refused)
        return
      }
      const settle = (settled: () => void): void => {
        if (timer !== this.#deadline) timer.clear()
        signal.removeEventListener('abort', cancel)
        this.#traps.delete(giveUp)
        this.#waiting = this.#waiting.filter((waiting) => waiting.timer !== timer)
        settled()
      }
      const giveUp = (error: AppError): void => settle(() => reject(error))
      const cancel = (): void => giveUp(cancelled())
      const timer = new AnswerTimer(deadline, () => {
        this.#setOverdue(true)
        giveUp(silent(this.#where, this.#hasAnswered))
      })
      const begin = (): void => {
        const fail = (error: unknown): void => settle(() => reject(asError(error)))
        try {
          this.#write(work).then((result) => settle(() => resolve(result)), fail)
        } catch (error) {
          fail(error)
        }
      }
      signal.addEventListener('abort', cancel, { once: true })
      this.#traps.add(giveUp)
      if (isFirst) this.#waiting.unshift({ begin, timer })
      else this.#waiting.push({ begin, timer })
      this.#next()
    })
  }

  close(): void {
    this.#closeListeners.clear()
    this.#end(cancelled())
  }

  #next(): void {
    if (this.busy) return
    const first = this.#waiting.shift()
    if (!first) return
    this.#deadline = first.timer
    first.begin()
  }

  #write<Result>(work: (send: Send) => Promise<Result>): Promise<Result> {
    const requests: { id: number; pending: Pending }[] = []
    const send: Send = <Reply>(request: Request<Reply>) => {
      const items: Message[] = []
      const reply = new Promise<Reply>((resolve, reject) => {
        const answer = (last: Message): void => resolve(parseAnswer(request, last, items))
        requests.push({ id: this.#takeId(), pending: { request, items, answer, fail: reject } })
      })
      reply.catch(() => undefined) // `work` may not await all of its answers
      return reply
    }
    try {
      const result = work(send)
      for (const { id, pending } of requests) this.#pending.set(id, pending)
      if (requests.length === 0) this.#finish()
      else
        this.#socket.write(
          Buffer.concat(requests.map(({ id, pending }) => encodeRequest(pending.request, id, this.#api))),
        )
      return result
    } catch (error) {
      this.#finish()
      throw error
    }
  }

  #takeId(): number {
    const id = this.#nextId
    this.#nextId = id + 1 < EVENT_ID ? id + 1 : 1
    return id
  }

  #receive(chunk: Uint8Array): void {
    this.#deadline?.refresh()
    for (const { timer } of this.#waiting) timer.refresh()
    for (const message of this.#decoder.push(chunk)) this.#take(message)
    if (!this.#hasAnswered && this.#decoder.skipped > MAX_GARBAGE_BYTES) this.#end(notVice(this.#where))
  }

  #take(message: Message): void {
    this.#hasAnswered = true
    this.#answeredAt = performance.now()
    if (message.id === EVENT_ID) {
      this.#notifyEvent(message)
      return
    }
    const pending = this.#pending.get(message.id)
    // VICE answers some refused commands twice: nobody waits for the second answer.
    if (!pending) return
    if (!endsAnswer(message, pending.request))
      return void pending.items.push({ ...message, body: message.body.slice() })
    this.#pending.delete(message.id)
    this.#api = message.api
    try {
      pending.answer(message)
    } catch (error) {
      pending.fail(error)
    }
    if (this.#pending.size > 0) return
    this.#finish()
  }

  #finish(): void {
    this.#deadline?.clear()
    this.#deadline = undefined
    this.#setOverdue(false)
    this.#next()
  }

  #notifyEvent(message: Message): void {
    let event: Event | undefined
    try {
      event = parseEvent(message)
    } catch {
      return // malformed, and nobody waits for it
    }
    if (event) this.#eventListeners.notify(event)
  }

  #setOverdue(overdue: boolean): void {
    if (this.#overdue === overdue) return
    this.#overdue = overdue
    this.#silenceListeners.notify(overdue)
  }

  #end(reason: AppError): void {
    if (this.#closed) return
    this.#closed = reason
    this.#deadline?.clear()
    this.#socket.destroy()
    for (const { fail } of this.#pending.values()) fail(reason)
    this.#pending.clear()
    this.#waiting = []
    for (const giveUp of this.#traps) giveUp(reason)
    this.#closeListeners.notify(reason)
    this.#closeListeners.clear()
  }
}

/** @param receive gets bytes that are valid until it returns, as the buffer is reused */
function openSocket(
  address: MonitorAddress,
  signal: AbortSignal,
  receive: (bytes: Uint8Array) => void,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(cancelled())
      return
    }
    const callback = (length: number, buffer: Uint8Array): boolean => {
      receive(buffer.subarray(0, length))
      return true // keep reading
    }
    const onread = { buffer: new Uint8Array(READ_BUFFER_BYTES), callback }
    const socket = connectSocket({ ...address, noDelay: true, keepAlive: true, onread })
    const fail = (error: AppError): void => {
      settle()
      socket.on('error', () => undefined)
      socket.destroy()
      reject(error)
    }
    const cancel = (): void => fail(cancelled())
    const timer = setTimeout(() => fail(unreachable(address, 'does not accept the connection')), DEADLINE_MS)
    const refused = (error: NodeJS.ErrnoException): void => fail(unreachable(address, reasonOf(error)))
    const settle = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', cancel)
      socket.off('error', refused)
    }
    signal.addEventListener('abort', cancel, { once: true })
    socket.on('error', refused)
    socket.once('connect', () => {
      settle()
      resolve(socket)
    })
  })
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

const describe = ({ host, port }: MonitorAddress): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ECONNREFUSED') return 'refused the connection'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'is an unknown host'
  return `cannot be reached (${code ?? message})`
}

const unreachable = (address: MonitorAddress, reason: string): AppError =>
  new AppError('UNREACHABLE', `No VICE to attach to: ${describe(address)} ${reason}.`, {
    hint: `Start VICE with: x64sc -binarymonitor -binarymonitoraddress ip4://127.0.0.1:${address.port}`,
    details: { refused: reason === 'refused the connection' },
  })

const notVice = (where: string): AppError =>
  new AppError('UNREACHABLE', `${where} is not a VICE binary monitor.`, {
    hint: 'Check the port: by default the binary monitor uses 6502; VICE’s text monitor (6510) is a different one.',
  })

/** VICE serves one client; others wait without an answer. While paused it does not read its socket. */
const silent = (where: string, hasAnswered: boolean): AppError =>
  hasAnswered
    ? new AppError('TIMEOUT', `VICE at ${where} no longer answers.`, {
        hint: 'It may be paused, or show a dialog in its own window: continue there.',
      })
    : new AppError('TIMEOUT', `VICE at ${where} accepts the connection but does not answer.`, {
        hint: 'Close other programs that use its only monitor connection. If VICE is paused in its own window, continue there.',
      })

const lost = (where: string): AppError =>
  new AppError('LOST', `VICE at ${where} was closed, or closed the connection.`, {
    hint: 'The program that ran in it is lost. The window reconnects automatically once VICE runs again.',
  })

const cancelled = (): AppError => new AppError('CANCELLED', 'The operation was cancelled.')
