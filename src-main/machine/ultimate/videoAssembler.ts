/**
 * A packet of the Ultimate's video stream has a header of 12 bytes - u16 LE each: number, frame, line with bit 15 set
 * on the frame's last packet, pixels per line; u8 lines, u8 bits per pixel; u16 encoding - and four lines of 192 bytes
 * with the left pixel in the low nibble, as in the contract's `Picture`.
 */
import type { Picture } from '@shared/contract/memory'

export const VIDEO_PACKET_BYTES = 780

const HEADER_BYTES = 12
const WIDTH = 384
const LINE_BYTES = WIDTH / 2
const LINES_PER_PACKET = 4
/** PAL's lines; NTSC has 240. */
const MAX_LINES = 272
const LAST_PACKET_FLAG = 0x8000

/** A frame number further back than this means that the stream was restarted. */
const MAX_FRAMES_BACK = 64

export interface VideoFrame {
  readonly picture: Picture
  readonly number: number
}

interface Assembly {
  number: number
  /** Lines; 0 until its last packet arrived. */
  height: number
  packets: number
  readonly arrived: Uint8Array
  readonly pixels: Uint8Array
}

const assembly = (): Assembly => ({
  number: -1,
  height: 0,
  packets: 0,
  arrived: new Uint8Array(MAX_LINES / LINES_PER_PACKET),
  pixels: new Uint8Array(MAX_LINES * LINE_BYTES),
})

/**
 * Emits whole frames only. Packets of two frames may mix; a frame still incomplete when the second after it begins is
 * dropped.
 */
export class VideoAssembler {
  packets = 0
  lost = 0
  late = 0
  malformed = 0
  readonly #onFrame: (frame: VideoFrame) => void
  #current = assembly()
  #before = assembly()
  #done = -1

  constructor(onFrame: (frame: VideoFrame) => void) {
    this.#onFrame = onFrame
  }

  push(packet: Uint8Array): void {
    // While the device looks up our network address, it sends datagrams of two bytes.
    if (packet.length === 2) return
    if (
      packet.length !== VIDEO_PACKET_BYTES ||
      u16(packet, 6) !== WIDTH ||
      packet[8] !== LINES_PER_PACKET ||
      packet[9] !== 4 ||
      u16(packet, 10) !== 0
    ) {
      this.malformed++
      return
    }
    const lineField = u16(packet, 4)
    const line = lineField & 0x7fff
    if (line % LINES_PER_PACKET !== 0 || line >= MAX_LINES) {
      this.malformed++
      return
    }
    const frame = this.#assemblyFor(u16(packet, 2))
    if (!frame || frame.arrived[line / LINES_PER_PACKET] === 1) {
      this.late++
      return
    }
    frame.arrived[line / LINES_PER_PACKET] = 1
    frame.packets++
    this.packets++
    frame.pixels.set(packet.subarray(HEADER_BYTES), line * LINE_BYTES)
    if (lineField & LAST_PACKET_FLAG) frame.height = line + LINES_PER_PACKET
    if (frame.height > 0 && isWhole(frame)) this.#finish(frame)
  }

  #assemblyFor(number: number): Assembly | undefined {
    if (this.#current.number === number) return this.#current
    if (this.#before.number === number) return this.#before
    const newest = this.#current.number >= 0 ? this.#current.number : this.#done
    const ahead = ((number - newest) << 16) >> 16
    if (newest >= 0 && ahead <= 0 && ahead > -MAX_FRAMES_BACK) return undefined
    this.#drop(this.#before)
    const free = this.#before
    this.#before = this.#current
    this.#current = free
    free.number = number
    return free
  }

  #finish(frame: Assembly): void {
    const { number, height, pixels } = frame
    // An older frame must not be shown after this one.
    if (frame === this.#current) this.#drop(this.#before)
    this.#done = number
    clear(frame)
    if (height === 272 || height === 240) {
      this.#onFrame({ number, picture: { width: WIDTH, height, pixels: pixels.slice(0, height * LINE_BYTES) } })
    } else {
      this.malformed++
    }
  }

  #drop(frame: Assembly): void {
    if (frame.number < 0) return
    this.lost += Math.max(1, (frame.height || MAX_LINES) / LINES_PER_PACKET - frame.packets)
    clear(frame)
  }
}

/** Packets below the frame's end do not count. */
function isWhole({ arrived, height }: Assembly): boolean {
  const gap = arrived.indexOf(0)
  return gap < 0 || gap >= height / LINES_PER_PACKET
}

function clear(frame: Assembly): void {
  frame.number = -1
  frame.height = 0
  frame.packets = 0
  frame.arrived.fill(0)
}

const u16 = (bytes: Uint8Array, at: number): number => (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8)
