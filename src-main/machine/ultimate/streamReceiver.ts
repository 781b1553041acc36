import { createSocket, type Socket } from 'node:dgram'
import { AppError } from '@shared/contract/errors'
import type { Segment } from '@shared/contract/frames'
import type { StreamKind, VideoStandard } from '@shared/contract/machine'
import type { Picture } from '@shared/contract/memory'
import type { AudioBlock } from '../facets'
import { AudioAssembler } from './audioAssembler'
import { DebugReplay, type BusListener, type DebugSample } from './debugReplay'
import type { PacketOrder } from './packetOrder'
import { VideoAssembler } from './videoAssembler'

/** Bytes for half a second of packets; systems may silently give less. */
const RECEIVE_BUFFER_BYTES = 4 << 20

const DEBUG_INTERVAL_MS = 20

export interface StreamListeners {
  readonly picture: (picture: Picture) => void
  readonly audio: (block: AudioBlock) => void
  readonly accesses: (sample: DebugSample) => void
  readonly bus: BusListener
  readonly known: () => readonly Segment[]
}

export interface StreamCounts {
  readonly stream: StreamKind
  readonly packets: number
  readonly lost: number
}

interface Stream {
  readonly socket: Socket
  readonly counts: () => Pick<StreamCounts, 'packets' | 'lost'>
  readonly stop: () => void
}

export class StreamReceiver {
  readonly #on: StreamListeners
  readonly #streams = new Map<StreamKind, Stream>()
  #replay: DebugReplay | undefined
  #standard: VideoStandard = 'pal'
  #audioBlocks = 0

  constructor(on: StreamListeners) {
    this.#on = on
  }

  get replay(): DebugReplay | undefined {
    return this.#replay
  }

  set standard(standard: VideoStandard) {
    this.#standard = standard
  }

  get counts(): StreamCounts[] {
    return [...this.#streams].map(([stream, { counts }]) => ({ stream, ...counts() }))
  }

  /** Resolves to the UDP port, which receives from `device` only. An open stream is reopened. */
  async open(stream: StreamKind, device: string): Promise<number> {
    this.close(stream)
    const socket = createSocket({ type: device.includes(':') ? 'udp6' : 'udp4', recvBufferSize: RECEIVE_BUFFER_BYTES })
    try {
      await new Promise<void>((resolve, reject) => {
        socket.once('error', reject)
        socket.bind(0, resolve)
      })
    } catch (error) {
      socket.close()
      throw new AppError(
        'INTERNAL',
        `No UDP port could be opened for the ${stream} stream (${error instanceof Error ? error.message : 'unknown'}).`,
        { hint: 'Close other programs that use the network.' },
      )
    }
    socket.on('error', () => undefined)
    const { push, counts, stop } = this.#assembler(stream)
    socket.on('message', (packet, { address }) => {
      if (address === device) push(packet)
    })
    this.#streams.set(stream, { socket, counts, stop })
    return socket.address().port
  }

  close(stream: StreamKind): void {
    const open = this.#streams.get(stream)
    this.#streams.delete(stream)
    open?.stop()
    open?.socket.close()
  }

  closeAll(): void {
    for (const stream of [...this.#streams.keys()]) this.close(stream)
  }

  #assembler(stream: StreamKind): Pick<Stream, 'counts' | 'stop'> & { push: (packet: Uint8Array) => void } {
    switch (stream) {
      case 'video': {
        const assembler = new VideoAssembler(({ picture }) => {
          this.#standard = picture.height === 240 ? 'ntsc' : 'pal'
          this.#on.picture(picture)
        })
        const counts = () => ({ packets: assembler.packets, lost: assembler.lost })
        return { counts, stop: () => undefined, push: (packet) => assembler.push(packet) }
      }
      case 'audio': {
        const assembler = new AudioAssembler((block) => this.#on.audio({ ...block, seq: this.#audioBlocks++ }))
        const push = (packet: Uint8Array): void => {
          assembler.standard = this.#standard
          assembler.push(packet)
        }
        return { counts: () => countsOf(assembler), stop: () => undefined, push }
      }
      case 'debug': {
        this.#on.bus.lost(0, false)
        const assembler = new DebugReplay(this.#on.bus)
        assembler.seed(this.#on.known())
        this.#replay = assembler
        const clock = setInterval(() => this.#on.accesses(assembler.take()), DEBUG_INTERVAL_MS)
        const stop = (): void => {
          clearInterval(clock)
          this.#replay = undefined
        }
        return { counts: () => countsOf(assembler), stop, push: (packet) => assembler.push(packet) }
      }
    }
  }
}

const countsOf = ({ order: { received, lost } }: { readonly order: PacketOrder }) => ({ packets: received, lost })
