/** The Ultimate's audio stream: u16 LE number, then 192 samples s16 LE of left and right each, 250 packets a second. */
import type { VideoStandard } from '@shared/contract/machine'
import type { AudioBlock } from '../facets'
import { PacketOrder } from './packetOrder'

export const AUDIO_PACKET = 770

const HEADER = 2
const PACKET_VALUES = 384
/** Five packets are 20 ms. */
const BLOCK_PACKETS = 5

/** Samples a second: the sampler divides the machine's own clock. */
const rates: Record<VideoStandard, number> = { pal: 47_982.887, ntsc: 47_940.341 }

/** What is lost beyond this is left out: a stream that stood still is not made up for by silence. */
const MOST_SILENCE = 50

export class AudioAssembler {
  /** Packets that came in. */
  packets = 0
  malformed = 0
  standard: VideoStandard = 'pal'
  readonly #onBlock: (block: AudioBlock) => void
  readonly #order: PacketOrder
  #block = new Int16Array(BLOCK_PACKETS * PACKET_VALUES)
  #filled = 0
  #seq = 0

  constructor(onBlock: (block: AudioBlock) => void) {
    this.#onBlock = onBlock
    this.#order = new PacketOrder({
      size: AUDIO_PACKET,
      onPacket: (packet) => this.#take(packet),
      onLost: (count) => this.#fillSilence(count),
    })
  }

  get lost(): number {
    return this.#order.lost
  }

  get late(): number {
    return this.#order.late
  }

  push(packet: Uint8Array): void {
    if (packet.length === 2) return
    if (packet.length !== AUDIO_PACKET) {
      this.malformed++
      return
    }
    this.packets++
    this.#order.push(packet)
  }

  #take(packet: Uint8Array): void {
    const view = new DataView(packet.buffer, packet.byteOffset, packet.byteLength)
    const start = this.#filled * PACKET_VALUES
    for (let index = 0; index < PACKET_VALUES; index++)
      this.#block[start + index] = view.getInt16(HEADER + index * 2, true)
    this.#packetDone()
  }

  /** In place of what was lost, so that the rest keeps its time. */
  #fillSilence(count: number): void {
    for (let index = 0; index < Math.min(count, MOST_SILENCE); index++) {
      const start = this.#filled * PACKET_VALUES
      this.#block.fill(0, start, start + PACKET_VALUES)
      this.#packetDone()
    }
  }

  #packetDone(): void {
    if (++this.#filled < BLOCK_PACKETS) return
    const samples = this.#block
    this.#block = new Int16Array(BLOCK_PACKETS * PACKET_VALUES)
    this.#filled = 0
    this.#onBlock({ seq: this.#seq++, rate: rates[this.standard], samples })
  }
}
