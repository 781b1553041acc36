import { AppError } from '@shared/contract/errors'
import type { Space } from '@shared/contract/memory'
import { cancelled } from '../cancelled'
import type { WantedCheckpoint } from '../facets'
import type { RunCommand } from './borrowedResources'
import { findRegister, type Checkpoints, type Note, type NotedStop } from './checkpoints'
import type { MonitorClient, Send } from './client'
import { setCondition } from './commands'
import type { RunControl } from './runControl'

export interface FollowedSession {
  readonly client: MonitorClient
  readonly runControl: RunControl
  readonly checkpoints: Checkpoints
  readonly command: RunCommand
  read(send: Send, space: Space, address: number, length: number): Promise<Uint8Array>
}

export type SetNoted = (wanted: WantedCheckpoint, note: Note) => Promise<number>

/**
 * Runs until `end` is called, the machine stops, or the connection is lost. A machine that stood stands again
 * afterwards.
 * @param set sets the checkpoints; the last one starts it
 */
export type Watch = (set: (set: SetNoted, end: () => void) => Promise<void>) => Promise<void>

export const following = { stop: false, temporary: false, fromHit: 1, log: null }
export const everywhere = { start: 0, end: 0xffff, operations: ['exec' as const] }

/** Somewhere in the middle of a frame of each standard. */
const MIDDLE_LINE = 128
const halfOfFrame = (isFirst: boolean): string => `RL ${isFirst ? '<' : '>='} ${MIDDLE_LINE}`

/** VICE has no clock but the raster, so this stops twice in a frame; the condition is changed each time. */
export async function setHalves(
  set: SetNoted,
  note: (isFirst: boolean, send: Send, stop: NotedStop) => Promise<unknown>,
): Promise<void> {
  const wanted = { ...following, ...everywhere, enabled: true, condition: halfOfFrame(false) }
  await set(wanted, (send, stop) => {
    const isFirst = rasterPlace(stop.registers).line < MIDDLE_LINE
    return Promise.all([send(setCondition(stop.hit.number, halfOfFrame(!isFirst))), note(isFirst, send, stop)])
  })
}

export const rasterPlace = (registers: NotedStop['registers']) => ({
  line: findRegister(registers, 'LIN') ?? 0,
  cycle: findRegister(registers, 'CYC') ?? 0,
})

const never = new AbortController().signal

export class Follower {
  readonly #session: FollowedSession
  #present: Promise<unknown> | undefined
  #end: ((error?: AppError) => void) | undefined
  #closed: AppError | undefined

  constructor(session: FollowedSession) {
    this.#session = session
  }

  /** @throws AppError BUSY while it follows */
  requireNone(): void {
    if (this.#present)
      throw new AppError('BUSY', 'The interrupts or a frame of this VICE are being followed.', {
        hint: 'Wait for that to end, or cancel it.',
      })
  }

  drop(): void {
    this.#end?.()
  }

  async close(reason: AppError): Promise<void> {
    this.#closed = reason
    this.#end?.(reason)
    await this.#present?.catch(() => undefined)
  }

  /** @throws AppError BUSY while it follows */
  async follow<Result>(work: (watch: Watch) => Promise<Result>, signal: AbortSignal): Promise<Result> {
    this.requireNone()
    const present = work((set) => this.#watch(set, signal))
    this.#present = present
    try {
      return await present
    } finally {
      this.#present = undefined
    }
  }

  async #watch(set: Parameters<Watch>[0], signal: AbortSignal): Promise<void> {
    const { runControl, checkpoints } = this.#session
    const stood = runControl.execution !== 'running'
    const numbers: number[] = []
    const state = { isDone: false }
    try {
      const setNoted: SetNoted = async (wanted, note) => {
        if (this.#closed) throw this.#closed
        const { number } = await checkpoints.set(wanted, signal, { note, isHidden: true })
        numbers.push(number)
        return number
      }
      await set(setNoted, () => {
        state.isDone = true
        if (stood) runControl.stay()
        this.#end?.()
      })
      if (!state.isDone) await this.#untilEnd(stood, signal)
    } finally {
      if (stood) await runControl.pause(never).catch(() => undefined) // lost: the connection reports it
      await checkpoints.deleteAll(numbers, never).catch(() => undefined)
    }
  }

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
      else if (!stood && runControl.execution !== 'running') end()
      else if (stood) runControl.resume(signal).catch(end)
    })
  }
}

/** Sends for bytes, and hands them over before another stop is told. */
export function readNow(
  session: Pick<FollowedSession, 'read'>,
  send: Send,
  { space, address, length }: { readonly space: Space; readonly address: number; readonly length: number },
  onRead: (bytes: Uint8Array<ArrayBuffer>) => void,
): Promise<Uint8Array> {
  const now: Send = (request) =>
    send({
      ...request,
      parse: (body, items) => {
        const reply = request.parse(body, items)
        if (reply instanceof Uint8Array) onRead(new Uint8Array(reply))
        return reply
      },
    })
  return session.read(now, space, address, length)
}
