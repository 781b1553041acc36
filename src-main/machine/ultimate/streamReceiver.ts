/** Receives the Ultimate's UDP streams: a socket for each, whose packets become pictures, sound and accesses. */
import { createSocket, type Socket } from 'node:dgram'
import { AppError } from '@shared/contract/errors'
import type { Segment } from '@shared/contract/frames'
import type { StreamKind, VideoStandard } from '@shared/contract/machine'
import type { Picture } from '@shared/contract/memory'
import type { AudioBlock } from '../facets'
import { AudioAssembler } from './audioAssembler'
import { DebugReplay, type DebugSample } from './debugReplay'
import { VideoAssembler } from './videoAssembler'

/** Room for the packets of half a second; systems give less than asked for, and say nothing. */
const RECEIVE_BUFFER = 4 << 20

/** How often the bus's accesses are told, ms. */
const DEBUG_INTERVAL = 20

export interface StreamListeners {
  readonly picture: (picture: Picture) => void
  readonly audio: (block: AudioBlock) => void
  readonly accesses: (sample: DebugSample) => void
  /** What is known of memory when the debug stream begins. */
  readonly known: () => readonly Segment[]
}

export interface StreamCounts {
  readonly stream: StreamKind
  readonly packets: number
  readonly lost: number
}

interface Stream {
  readonly socket: Socket
  readonly assembler: { readonly packets: number; readonly lost: number }
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

  /** The bus's accesses as they are replayed now; undefined while that stream is off. */
  get replay(): DebugReplay | undefined {
    return this.#replay
  }

  /** Tells the sound's rate. */
  set standard(standard: VideoStandard) {
    this.#standard = standard
  }

  get counts(): StreamCounts[] {
    return [...this.#streams].map(([stream, { assembler }]) => ({
      stream,
      packets: assembler.packets,
      lost: assembler.lost,
    }))
  }

  /** Resolves to the port where packets are taken, from that device only. A stream that is open already starts afresh. */
  async open(stream: StreamKind, device: string): Promise<number> {
    this.close(stream)
    const socket = createSocket({ type: device.includes(':') ? 'udp6' : 'udp4', recvBufferSize: RECEIVE_BUFFER })
    try {
      await new Promise<void>((resolve, reject) => {
        socket.once('error', reject)
        socket.bind(0, resolve)
      })
    } catch (error) {
      socket.close()
      throw new AppError(
        'INTERNAL',
        `This computer gives no UDP port for the ${stream} stream (${error instanceof Error ? error.message : 'unknown'}).`,
        { hint: 'Close programs that use the network.' },
      )
    }
    socket.on('error', () => undefined)
    const { push, assembler, stop } = this.#assembler(stream)
    socket.on('message', (packet, { address }) => {
      if (address === device) push(packet)
    })
    this.#streams.set(stream, { socket, assembler, stop })
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

  #assembler(stream: StreamKind): Pick<Stream, 'assembler' | 'stop'> & { push: (packet: Uint8Array) => void } {
    switch (stream) {
      case 'video': {
        const assembler = new VideoAssembler(({ picture }) => {
          this.#standard = picture.height === 240 ? 'ntsc' : 'pal'
          this.#on.picture(picture)
        })
        return { assembler, stop: () => undefined, push: (packet) => assembler.push(packet) }
      }
      case 'audio': {
        // The numbers go on when the stream is started again.
        const assembler = new AudioAssembler((block) => this.#on.audio({ ...block, seq: this.#audioBlocks++ }))
        const push = (packet: Uint8Array): void => {
          assembler.standard = this.#standard
          assembler.push(packet)
        }
        return { assembler, stop: () => undefined, push }
      }
      case 'debug': {
        const assembler = new DebugReplay()
        assembler.seed(this.#on.known())
        this.#replay = assembler
        const clock = setInterval(() => this.#on.accesses(assembler.take()), DEBUG_INTERVAL)
        const stop = (): void => {
          clearInterval(clock)
          this.#replay = undefined
        }
        return { assembler, stop, push: (packet) => assembler.push(packet) }
      }
    }
  }
}
