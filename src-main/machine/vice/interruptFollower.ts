/**
 * Notes interrupts by checkpoints: on reads of the vectors, which the CPU makes for each interrupt; on reads of the
 * pointers behind the KERNAL's entry; where the stack is as high as before; and twice in a frame.
 */
import { ALL_PINS, pinsOf } from '@shared/c64/banking'
import type { Interrupts } from '@shared/contract/running'
import { findRegister, type NotedStop } from './checkpoints'
import type { Send } from './client'
import { setCondition, toggleCheckpoint } from './commands'
import {
  everywhere,
  following,
  rasterPlace,
  readNow,
  setHalves,
  type FollowedSession,
  type Follower,
  type SetNoted,
} from './follower'
import { InterruptStops, stackBefore, type StopPlace } from './interruptStops'
import { readRasterSize } from './raster'

const vectors = { irq: 0xfffe, nmi: 0xfffa } as const
const pointers = { irq: 0x0314, nmi: 0x0318 } as const
const kinds = ['irq', 'nmi'] as const

const reading = (address: number) => ({ start: address, end: address, operations: ['load' as const] })

export class InterruptFollower {
  readonly #session: FollowedSession
  readonly #follower: Follower

  constructor(session: FollowedSession, follower: Follower) {
    this.#session = session
    this.#follower = follower
  }

  follow(frames: number, signal: AbortSignal): Promise<Interrupts> {
    return this.#follower.follow(async (watch) => {
      const stops = new InterruptStops(await readRasterSize(this.#session.command, signal), frames)
      await watch((set, end) => this.#set(set, stops, end))
      return stops.result
    }, signal)
  }

  async #set(set: SetNoted, stops: InterruptStops, end: () => void): Promise<void> {
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
    await setHalves(set, (isFirst, _send, stop) => {
      if (isFirst) stops.frame(placeOf(stop))
      else stops.ran(placeOf(stop))
      if (isFirst && stops.isDone) end()
      return Promise.resolve()
    })
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

  #read(send: Send, address: number, length: number, onRead: (bytes: Uint8Array<ArrayBuffer>) => void) {
    return readNow(this.#session, send, { space: 'cpu', address, length }, onRead)
  }
}

function awaitEnd(send: Send, checkpoint: number, sp: number | null): Promise<unknown> {
  if (sp === null) return send(toggleCheckpoint(checkpoint, false))
  return Promise.all([send(setCondition(checkpoint, `SP >= ${hex(sp)}`)), send(toggleCheckpoint(checkpoint, true))])
}

function placeOf({ registers }: Pick<NotedStop, 'registers'>): StopPlace {
  const value = (name: string): number => findRegister(registers, name) ?? 0
  return {
    pc: value('PC'),
    sp: value('SP'),
    flags: value('FL'),
    ...rasterPlace(registers),
    pins: pinsOf(registers) ?? ALL_PINS,
  }
}

const wordOf = ([low = 0, high = 0]: Uint8Array): number => low | (high << 8)
const hex = (value: number): string => `$${value.toString(16)}`
