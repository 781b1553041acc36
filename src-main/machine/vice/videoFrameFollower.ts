/**
 * Notes writes to the VIC-II over a frame of a running VICE, by checkpoints on its registers, its bank, and the sprite
 * pointers of each screen in use. VICE stops briefly at each.
 */
import { VIC_REGISTERS, type VideoFrame } from '@shared/contract/videoFrame'
import type { VideoStandard } from '@shared/contract/machine'
import { noFrame } from '../refusals'
import { cycleBefore, pointersOf, POINTERS, VideoFrameLog, type VideoLook } from '../videoFrameLog'
import type { NotedStop } from './checkpoints'
import type { Send } from './client'
import {
  following,
  rasterPlace,
  readNow,
  setHalves,
  type FollowedSession,
  type Follower,
  type SetNoted,
  type Watch,
} from './follower'
import { readRasterSize, type RasterSize } from './raster'

const written = [
  [0xd000, 0xd3ff],
  [0xdd00, 0xdd02],
] as const
const CHARACTER_ROM = { space: 'rom', address: 0xd000, length: 0x1000 } as const

/** A frame is followed again where it shows screens with unfollowed pointers; at most this often. */
const MAX_PASSES = 4

interface FrameSession extends FollowedSession {
  readonly standard: VideoStandard | null
}

interface Pass {
  readonly size: RasterSize
  readonly standard: VideoStandard
  readonly characterRom: Uint8Array
  readonly screens: readonly number[]
  readonly missing: Set<number>
  log: VideoFrameLog | undefined
  isDone: boolean
  stops: number
}

export class VideoFrameFollower {
  readonly #session: FrameSession
  readonly #follower: Follower

  constructor(session: FrameSession, follower: Follower) {
    this.#session = session
    this.#follower = follower
  }

  follow(signal: AbortSignal): Promise<VideoFrame> {
    return this.#follower.follow((watch) => this.#follow(watch, signal), signal)
  }

  async #follow(watch: Watch, signal: AbortSignal): Promise<VideoFrame> {
    const { command, runControl } = this.#session
    const size = await readRasterSize(command, signal)
    const { look, characterRom } = await this.#readStart(signal)
    const standard = this.#session.standard ?? 'pal'
    const heldBefore = runControl.stoppedTime
    let screens: readonly number[] = [pointersOf(look)]
    let stops = 0
    for (let count = 1; ; count++) {
      const pass: Pass = {
        size,
        standard,
        characterRom,
        screens,
        missing: new Set<number>(),
        log: undefined,
        isDone: false,
        stops: 0,
      }
      await watch((set, end) => this.#set(set, pass, end))
      stops += pass.stops
      if (!pass.log) throw noFrame()
      const isWhole = pass.isDone && pass.missing.size === 0
      if (isWhole || !pass.isDone || count === MAX_PASSES)
        return pass.log.result(!isWhole, { stops, ms: Math.round(runControl.stoppedTime - heldBefore) })
      screens = [...screens, ...pass.missing]
    }
  }

  async #readStart(signal: AbortSignal): Promise<{ look: Omit<VideoLook, 'pointers'>; characterRom: Uint8Array }> {
    const { command } = this.#session
    const [registers, [port = 0], characterRom] = await command(
      (send) =>
        Promise.all([
          this.#session.read(send, 'io', 0xd000, VIC_REGISTERS),
          this.#session.read(send, 'io', 0xdd00, 1),
          this.#session.read(send, CHARACTER_ROM.space, CHARACTER_ROM.address, CHARACTER_ROM.length),
        ]),
      signal,
    )
    return { look: { registers, bank: ~port & 3 }, characterRom: new Uint8Array(characterRom) }
  }

  async #set(set: SetNoted, pass: Pass, end: () => void): Promise<void> {
    const ranges = [...written, ...pass.screens.map((address) => [address, address + POINTERS - 1] as const)]
    for (const [start, last] of ranges) {
      const wanted = { ...following, start, end: last, operations: ['store' as const], enabled: true, condition: null }
      await set(wanted, (send, stop) => this.#written(pass, send, stop))
    }
    await setHalves(set, (isFirst, send) => this.#half(pass, end, isFirst, send))
  }

  #written(pass: Pass, send: Send, { registers }: NotedStop): Promise<unknown> {
    const { log } = pass
    if (!log || pass.isDone) return Promise.resolve()
    pass.stops++
    const place = cycleBefore(rasterPlace(registers), pass.size)
    return this.#look(pass, send, (look) => log.look(look, place))
  }

  async #half(pass: Pass, end: () => void, isFirst: boolean, send: Send): Promise<void> {
    pass.stops++
    if (!isFirst || pass.isDone) return
    if (!pass.log) {
      await this.#begin(pass, send)
      return
    }
    pass.isDone = true
    end()
  }

  #begin(pass: Pass, send: Send): Promise<unknown> {
    const { standard, characterRom } = pass
    let colorRam = new Uint8Array(0)
    let ram = new Uint8Array(0)
    return Promise.all([
      readNow(this.#session, send, { space: 'colorRam', address: 0xd800, length: 0x400 }, (bytes) => {
        colorRam = bytes
      }),
      readNow(this.#session, send, { space: 'ram', address: 0, length: 0x8000 }, (bytes) => {
        ram = bytes
      }),
      readNow(this.#session, send, { space: 'ram', address: 0x8000, length: 0x8000 }, (bytes) => {
        ram = new Uint8Array(Buffer.concat([ram, bytes]))
      }),
      this.#look(pass, send, (look) => {
        pass.log = new VideoFrameLog(standard, look, { ram, characterRom, colorRam })
      }),
    ])
  }

  #look({ screens, missing }: Pass, send: Send, take: (look: VideoLook) => void): Promise<unknown> {
    const pointers: { address: number; bytes: Uint8Array }[] = []
    let registers = new Uint8Array(0)
    return Promise.all([
      ...screens.map((address) =>
        readNow(this.#session, send, { space: 'ram', address, length: POINTERS }, (bytes) => {
          pointers.push({ address, bytes })
        }),
      ),
      readNow(this.#session, send, { space: 'io', address: 0xd000, length: VIC_REGISTERS }, (bytes) => {
        registers = bytes
      }),
      readNow(this.#session, send, { space: 'io', address: 0xdd00, length: 1 }, ([port = 0]) => {
        const look = { registers, bank: ~port & 3, pointers }
        const screen = pointersOf(look)
        if (!screens.includes(screen)) missing.add(screen)
        take(look)
      }),
    ])
  }
}
