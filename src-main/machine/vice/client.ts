/**
 * One TCP connection to VICE's binary monitor. Whatever it receives stops the machine at the next end of a frame, and
 * only some commands let it go on: so commands go out in traps, each in one write, one trap at a time.
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
import { exit, ping } from './commands'
import { parseEvent, type Event } from './events'

export interface MonitorAddress {
  readonly host: string
  readonly port: number
}

/** Adds a request to the trap; to be called at once, before anything is awaited. */
export type Send = <Reply>(request: Request<Reply>) => Promise<Reply>

/**
 * Longest wait for the TCP connection, for VICE's first word, and for a trap unless its caller says otherwise, ms. A trap that
 * waits for others counts from the last answer: many at once are slow, and VICE not silent.
 */
const DEADLINE_MS = 2_000

const READ_SIZE = 0x4_0000

/** So many bytes that are no message mean that something else than VICE speaks. */
const TOO_MUCH_GARBAGE = 64

interface WaitingTrap {
  readonly begin: () => void
  readonly timer: NodeJS.Timeout
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
  /** How to reject each trap that waits or is on its way. */
  readonly #traps = new Set<(reason: AppError) => void>()
  readonly #eventListeners = new Set<(event: Event) => void>()
  readonly #closeListeners = new Set<(reason: AppError) => void>()
  readonly #silenceListeners = new Set<(silent: boolean) => void>()
  /** A trap is on its way; the next waits until its last answer is there, however late. */
  #busy = false
  #overdue = false
  #nextId = 1
  #api: ApiVersion = 1
  #heard = false
  #closed: AppError | undefined

  /**
   * Connects and says hello; the machine runs on afterwards. Throws UNREACHABLE where nothing or something else listens
   * and TIMEOUT where VICE takes the connection but stays silent.
   */
  static async connect(address: MonitorAddress, signal: AbortSignal, deadline = DEADLINE_MS): Promise<MonitorClient> {
    let receive = (_bytes: Uint8Array): void => undefined
    const socket = await openSocket(address, signal, (bytes) => receive(bytes))
    const client = new MonitorClient(socket, describe(address))
    receive = (bytes) => client.#receive(bytes)
    try {
      // Both protocol versions understand version 1; the answer's own version tells which VICE it is.
      await client.trap((send) => Promise.all([send(ping()), send(exit())]), signal, deadline)
      return client
    } catch (error) {
      client.close()
      throw client.#decoder.skipped > 0 && !client.#heard ? notVice(client.#where) : error
    }
  }

  private constructor(socket: Socket, where: string) {
    this.#socket = socket
    this.#where = where
    socket.on('error', () => undefined) // `close` follows
    socket.on('close', () => this.#end(this.#heard ? lost(where) : notVice(where)))
  }

  /** The protocol version that VICE answered with: 1 is VICE 3.5, 2 any later one. */
  get api(): ApiVersion {
    return this.#api
  }

  /** True while a trap is out whose answers are not all there. */
  get busy(): boolean {
    return this.#busy
  }

  /** True while a trap has been out for longer than its deadline. */
  get silent(): boolean {
    return this.#overdue
  }

  onEvent(listener: (event: Event) => void): void {
    this.#eventListeners.add(listener)
  }

  /** Called once, with the reason, when the connection ends without {@link close}. */
  onClose(listener: (reason: AppError) => void): void {
    this.#closeListeners.add(listener)
  }

  /** Called when VICE stops answering, and when the answer that was missing comes. */
  onSilence(listener: (silent: boolean) => void): void {
    this.#silenceListeners.add(listener)
  }

  /**
   * Writes all requests that `work` sends at once, when the traps before it are done. The machine stays stopped after the
   * trap unless one of them lets it go on. Cancelled or late, a trap that is not written yet never will be.
   * @throws AppError LOST, TIMEOUT, CANCELLED, or what VICE refused
   */
  trap<Result>(work: (send: Send) => Promise<Result>, signal: AbortSignal, deadline = DEADLINE_MS): Promise<Result> {
    return new Promise((resolve, reject) => {
      const refused = this.#closed ?? (signal.aborted ? cancelled() : undefined)
      if (refused) {
        reject(refused)
        return
      }
      const settle = (settled: () => void): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', cancel)
        this.#traps.delete(giveUp)
        this.#waiting = this.#waiting.filter((waiting) => waiting.timer !== timer)
        settled()
      }
      const giveUp = (error: AppError): void => settle(() => reject(error))
      const cancel = (): void => giveUp(cancelled())
      const timer = setTimeout(() => {
        this.#setOverdue(true)
        giveUp(silent(this.#where, this.#heard))
      }, deadline)
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
      this.#waiting.push({ begin, timer })
      this.#next()
    })
  }

  /** Ends the connection; a machine that is stopped goes on. Traps that wait are CANCELLED. */
  close(): void {
    this.#closeListeners.clear()
    this.#end(cancelled())
  }

  #next(): void {
    if (this.#busy) return
    const first = this.#waiting.shift()
    if (!first) return
    this.#busy = true
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
      reply.catch(() => undefined) // `work` may wait for some of its answers only
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
    for (const message of this.#decoder.push(chunk)) this.#take(message)
    if (!this.#heard && this.#decoder.skipped > TOO_MUCH_GARBAGE) this.#end(notVice(this.#where))
  }

  #take(message: Message): void {
    this.#heard = true
    if (message.id === EVENT_ID) {
      this.#tell(message)
      return
    }
    const pending = this.#pending.get(message.id)
    // An id that nobody waits for: VICE answers some refused commands twice.
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
    for (const { timer } of this.#waiting) timer.refresh()
    this.#finish()
  }

  #finish(): void {
    this.#busy = false
    this.#setOverdue(false)
    this.#next()
  }

  #tell(message: Message): void {
    let event: Event | undefined
    try {
      event = parseEvent(message)
    } catch {
      return // too short to mean anything; nobody asked for it, so nobody waits
    }
    if (event) for (const listener of this.#eventListeners) listener(event)
  }

  #setOverdue(overdue: boolean): void {
    if (this.#overdue === overdue) return
    this.#overdue = overdue
    for (const listener of this.#silenceListeners) listener(overdue)
  }

  #end(reason: AppError): void {
    if (this.#closed) return
    this.#closed = reason
    this.#socket.destroy()
    for (const { fail } of this.#pending.values()) fail(reason)
    this.#pending.clear()
    this.#waiting = []
    for (const giveUp of this.#traps) giveUp(reason)
    for (const listener of this.#closeListeners) listener(reason)
    this.#closeListeners.clear()
  }
}

/** @param receive gets bytes that hold until it returns: they are read into one buffer again and again */
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
      return true // go on reading
    }
    const onread = { buffer: new Uint8Array(READ_SIZE), callback }
    const socket = connectSocket({ ...address, noDelay: true, keepAlive: true, onread })
    const fail = (error: AppError): void => {
      settle()
      socket.on('error', () => undefined)
      socket.destroy()
      reject(error)
    }
    const cancel = (): void => fail(cancelled())
    const timer = setTimeout(() => fail(unreachable(address, 'does not take connections')), DEADLINE_MS)
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
  if (code === 'ECONNREFUSED') return 'has nothing listening'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'is a host that nobody knows'
  return `cannot be reached (${code ?? message})`
}

const unreachable = (address: MonitorAddress, reason: string): AppError =>
  new AppError('UNREACHABLE', `No VICE to attach to: ${describe(address)} ${reason}.`, {
    hint: `Start VICE with: x64sc -binarymonitor -binarymonitoraddress ip4://127.0.0.1:${address.port}`,
    details: { refused: reason === 'has nothing listening' },
  })

const notVice = (where: string): AppError =>
  new AppError('UNREACHABLE', `What listens at ${where} is not a VICE binary monitor.`, {
    hint: 'Check the port: the binary monitor’s is 6502 unless set otherwise, and VICE’s text monitor (6510) is another one.',
  })

/** VICE takes one client and lets others wait in silence; paused, it does not look at its socket. */
const silent = (where: string, heard: boolean): AppError =>
  heard
    ? new AppError('TIMEOUT', `VICE at ${where} does not answer any more.`, {
        hint: 'It may be paused in its own window, or show a dialog there: let it go on.',
      })
    : new AppError('TIMEOUT', `VICE at ${where} takes the connection but does not answer.`, {
        hint: 'Another program may hold its only monitor connection: close that one. Or VICE is paused in its own window: let it go on.',
      })

const lost = (where: string): AppError =>
  new AppError('LOST', `VICE at ${where} ended, or closed the connection.`, {
    hint: 'What ran in it is gone. The window connects by itself once it runs again.',
  })

const cancelled = (): AppError => new AppError('CANCELLED', 'The operation was cancelled.')
