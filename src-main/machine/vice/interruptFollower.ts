/**
 * Follows the interrupts of a running VICE by checkpoints of its own: on reads of the vectors, as the CPU reads them for
 * each interrupt, whatever they hold and whatever it sees there; on reads of the pointers behind the KERNAL's entry; where
 * the stack is as high as before; and twice in a frame, as VICE has no clock but the raster.
 */
import { ALL_PINS, pinsOf } from '@shared/c64/banking'
import { AppError } from '@shared/contract/errors'
import type { Space } from '@shared/contract/memory'
import type { Interrupts } from '@shared/contract/running'
import { cancelled } from '../cancelled'
import type { RunCommand } from './borrowedResources'
import { findRegister, type Checkpoints, type Note, type NotedStop } from './checkpoints'
import type { MonitorClient, Send } from './client'
import { setCondition, toggleCheckpoint } from './commands'
import { InterruptStops, stackBefore, type StopPlace } from './interruptStops'
import { readRasterSize } from './raster'
import type { RunControl } from './runControl'

interface FollowedSession {
  readonly client: MonitorClient
  readonly runControl: RunControl
  readonly checkpoints: Checkpoints
  readonly command: RunCommand
  read(send: Send, space: Space, address: number, length: number): Promise<Uint8Array>
}

const vectors = { irq: 0xfffe, nmi: 0xfffa } as const
const pointers = { irq: 0x0314, nmi: 0x0318 } as const
const kinds = ['irq', 'nmi'] as const
/** Somewhere in the middle of a frame of each standard. */
const MIDDLE_LINE = 128

const never = new AbortController().signal

const everywhere = { start: 0, end: 0xffff, operations: ['exec' as const] }
const reading = (address: number) => ({ start: address, end: address, operations: ['load' as const] })
const following = { stop: false, temporary: false, fromHit: 1, log: null }

export class InterruptFollower {
  readonly #session: FollowedSession
  #following: Promise<Interrupts> | undefined
  #end: ((error?: AppError) => void) | undefined
  /** Why it follows nothing any more. */
  #closed: AppError | undefined

  constructor(session: FollowedSession) {
    this.#session = session
  }

  /** @throws AppError BUSY while it follows */
  requireNone(): void {
    if (this.#following)
      throw new AppError('BUSY', 'The interrupts of this VICE are being followed.', {
        hint: 'Wait for that to end, or cancel it.',
      })
  }

  /** The machine stopped, or became another one: ends with what there is. */
  drop(): void {
    this.#end?.()
  }

  /** For good; resolves when nothing of it is left in VICE. */
  async close(reason: AppError): Promise<void> {
    this.#closed = reason
    this.#end?.(reason)
    await this.#following?.catch(() => undefined)
  }

  async follow(frames: number, signal: AbortSignal): Promise<Interrupts> {
    this.requireNone()
    this.#following = this.#follow(frames, signal)
    try {
      return await this.#following
    } finally {
      this.#following = undefined
    }
  }

  async #follow(frames: number, signal: AbortSignal): Promise<Interrupts> {
    const { runControl, checkpoints, command } = this.#session
    const stood = runControl.execution !== 'running'
    const numbers: number[] = []
    try {
      const stops = new InterruptStops(await readRasterSize(command, signal), frames)
      const set = async (wanted: Parameters<Checkpoints['set']>[0], note: Note): Promise<number> => {
        if (this.#closed) throw this.#closed
        const { number } = await checkpoints.set(wanted, signal, { note, isHidden: true })
        numbers.push(number)
        return number
      }
      await this.#set(set, stops, stood)
      await this.#untilEnd(stood, signal)
      return stops.result
    } finally {
      if (stood) await runControl.pause(never).catch(() => undefined) // lost: the connection reports it
      await checkpoints.deleteAll(numbers, never).catch(() => undefined)
    }
  }

  /** Until it is done, the machine stops, or the connection is lost. */
  #untilEnd(stood: boolean, signal: AbortSignal): Promise<void> {
    const { client, runControl } = this.#session
    return new Promise((resolve, reject) => {
      const end = (error?: AppError): void => {
        this.#end = undefined
        forget()
        signal.removeEventListener('abort', cancel)
        if (error) reject(error)
        else resolve()
      }
      const cancel = (): void => end(cancelled())
      const forget = client.onClose(end)
      signal.addEventListener('abort', cancel)
      this.#end = end
      if (this.#closed) end(this.#closed)
      else if (signal.aborted) cancel()
      // It was stopped meanwhile.
      else if (!stood && runControl.execution !== 'running') end()
      else if (stood) runControl.resume(signal).catch(end)
    })
  }

  /** The last one that is set lets it begin. */
  async #set(
    set: (wanted: Parameters<Checkpoints['set']>[0], note: Note) => Promise<number>,
    stops: InterruptStops,
    stood: boolean,
  ): Promise<void> {
    const ended = await set({ ...following, ...everywhere, enabled: false, condition: null }, (send, stop) => {
      stops.ran(placeOf(stop))
      return awaitEnd(send, stop.hit.number, stops.endsAt)
    })
    for (const kind of kinds) {
      const readVector = { ...following, ...reading(vectors[kind]), enabled: true, condition: null }
      await set(readVector, (send, stop) => this.#vectorRead(kind, stops, ended, send, stop))
      const readPointer = { ...following, ...reading(pointers[kind]), enabled: true, condition: null }
      await set(readPointer, (send, stop) =>
        this.#read(send, pointers[kind], 2, (bytes) => stops.jumped(placeOf(stop), wordOf(bytes))),
      )
    }
    const wanted = { ...following, ...everywhere, enabled: true, condition: `RL >= ${MIDDLE_LINE}` }
    await set(wanted, (send, stop) => this.#half(stops, stood, send, stop))
  }

  #vectorRead(
    kind: 'irq' | 'nmi',
    stops: InterruptStops,
    ended: number,
    send: Send,
    stop: NotedStop,
  ): Promise<unknown> {
    if (!stops.hasBegun) return Promise.resolve()
    const place = placeOf(stop)
    let stack = new Uint8Array(0)
    return Promise.all([
      this.#read(send, 0x0100, 0x100, (bytes) => (stack = bytes)),
      this.#read(send, vectors[kind], 2, (bytes) => stops.vectorRead(kind, place, { stack, vector: wordOf(bytes) })),
      awaitEnd(send, ended, stackBefore(place)),
    ])
  }

  #half(stops: InterruptStops, stood: boolean, send: Send, { hit, registers }: NotedStop): Promise<unknown> {
    const place = placeOf({ registers })
    const isFirstHalf = place.line < MIDDLE_LINE
    if (isFirstHalf) stops.frame(place)
    else stops.ran(place)
    if (isFirstHalf && stops.isDone) {
      if (stood) this.#session.runControl.stay()
      this.#end?.()
    }
    return send(setCondition(hit.number, `RL ${isFirstHalf ? '>=' : '<'} ${hex(MIDDLE_LINE)}`))
  }

  /** The bytes are handed over before another stop is. */
  #read(send: Send, address: number, length: number, onRead: (bytes: Uint8Array<ArrayBuffer>) => void) {
    const now: Send = (request) =>
      send({
        ...request,
        parse: (body, items) => {
          const reply = request.parse(body, items)
          if (reply instanceof Uint8Array) onRead(new Uint8Array(reply))
          return reply
        },
      })
    return this.#session.read(now, 'cpu', address, length)
  }
}

/** Stops where the stack is as high again. */
function awaitEnd(send: Send, checkpoint: number, sp: number | null): Promise<unknown> {
  if (sp === null) return send(toggleCheckpoint(checkpoint, false))
  return Promise.all([send(setCondition(checkpoint, `SP >= ${hex(sp)}`)), send(toggleCheckpoint(checkpoint, true))])
}

function placeOf({ registers }: Pick<NotedStop, 'registers'>): StopPlace {
  const value = (name: string): number => findRegister(registers, name) ?? 0
  return {
    ...{ pc: value('PC'), sp: value('SP'), flags: value('FL'), line: value('LIN'), cycle: value('CYC') },
    pins: pinsOf(registers) ?? ALL_PINS,
  }
}

const wordOf = ([low = 0, high = 0]: Uint8Array): number => low | (high << 8)
const hex = (value: number): string => `$${value.toString(16)}`
