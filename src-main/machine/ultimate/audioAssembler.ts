/**
 * Turns the Ultimate's audio stream into blocks. A packet is u16 LE number, then 192 samples s16 LE each of left and right;
 * 250 packets arrive per second.
 */
import type { VideoStandard } from '@shared/contract/machine'
import type { AudioBlock } from '../facets'
import { PacketOrder } from './packetOrder'

export const AUDIO_PACKET_BYTES = 770

const HEADER_BYTES = 2
const VALUES_PER_PACKET = 384
/** 20 ms. */
const PACKETS_PER_BLOCK = 5

/** Samples per second, divided from the machine's own clock. */
const rates: Record<VideoStandard, number> = { pal: 47_982.887, ntsc: 47_940.341 }

/** Lost packets beyond this are skipped, so that a stream that paused does not add seconds of silence. */
const MAX_SILENT_PACKETS = 50

export class AudioAssembler {
  readonly order: PacketOrder
  standard: VideoStandard = 'pal'
  readonly #onBlock: (block: AudioBlock) => void
  #block = new Int16Array(PACKETS_PER_BLOCK * VALUES_PER_PACKET)
  #filled = 0
  #seq = 0

  constructor(onBlock: (block: AudioBlock) => void) {
    this.#onBlock = onBlock
    this.order = new PacketOrder({
      size: AUDIO_PACKET_BYTES,
      onPacket: (packet) => this.#take(packet),
      onLost: (count) => this.#fillSilence(count),
    })
  }

  push(packet: Uint8Array): void {
    this.order.push(packet)
  }

  #take(packet: Uint8Array): void {
    const view = new DataView(packet.buffer, packet.byteOffset, packet.byteLength)
    const start = this.#filled * VALUES_PER_PACKET
    for (let index = 0; index < VALUES_PER_PACKET; index++)
      this.#block[start + index] = view.getInt16(HEADER_BYTES + index * 2, true)
    this.#packetDone()
  }

  /** Replaces lost packets, so that later sound keeps its timing. */
  #fillSilence(count: number): void {
    for (let index = 0; index < Math.min(count, MAX_SILENT_PACKETS); index++) {
      const start = this.#filled * VALUES_PER_PACKET
      this.#block.fill(0, start, start + VALUES_PER_PACKET)
      this.#packetDone()
    }
  }

  #packetDone(): void {
    if (++this.#filled < PACKETS_PER_BLOCK) return
    const samples = this.#block
    this.#block = new Int16Array(PACKETS_PER_BLOCK * VALUES_PER_PACKET)
    this.#filled = 0
    this.#onBlock({ seq: this.#seq++, rate: rates[this.standard], samples })
  }
}
