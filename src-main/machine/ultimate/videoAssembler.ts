/**
 * The Ultimate's video stream: packets of four lines become whole pictures. A packet is a header of 12 bytes - u16 LE each:
 * number, frame, line with bit 15 on the frame's last packet, pixels a line; u8 lines, u8 bits a pixel; u16 encoding -
 * and four lines of 192 bytes, the left pixel in the low nibble, just as the contract's `Picture` has them.
 */
import type { Picture } from '@shared/contract/memory'

export const VIDEO_PACKET = 780

const HEADER = 12
const WIDTH = 384
const LINE_BYTES = WIDTH / 2
const LINES = 4
/** PAL's; NTSC has 240. */
const MOST_LINES = 272
const LAST = 0x8000

export interface VideoFrame {
  readonly picture: Picture
  /** The device's own count of frames, 16 bits. */
  readonly number: number
}

/** A frame that is being put together. */
interface Assembly {
  number: number
  /** Lines that it has in all; 0 until its last packet is there. */
  height: number
  packets: number
  /** Whether each packet is there, by its first line / 4. */
  readonly here: Uint8Array
  readonly pixels: Uint8Array
}

const assembly = (): Assembly => ({
  number: -1,
  height: 0,
  packets: 0,
  here: new Uint8Array(MOST_LINES / LINES),
  pixels: new Uint8Array(MOST_LINES * LINE_BYTES),
})

/**
 * Packets of two frames may mix; a frame that is not whole when the second after it begins is given up. Nothing but whole
 * frames comes out.
 */
export class VideoAssembler {
  /** Packets that made it into a frame's buffer. */
  packets = 0
  /** Packets that are missing in frames that were given up. */
  lost = 0
  /** Packets that came twice, or for a frame that is done. */
  late = 0
  /** Datagrams that are no packets of this stream: of another size, or with a header that makes no sense. */
  malformed = 0
  readonly #onFrame: (frame: VideoFrame) => void
  #current = assembly()
  #before = assembly()
  #done = -1

  constructor(onFrame: (frame: VideoFrame) => void) {
    this.#onFrame = onFrame
  }

  push(packet: Uint8Array): void {
    // While it asks for our address, the device sends datagrams of two bytes.
    if (packet.length === 2) return
    if (
      packet.length !== VIDEO_PACKET ||
      u16(packet, 6) !== WIDTH ||
      packet[8] !== LINES ||
      packet[9] !== 4 ||
      u16(packet, 10) !== 0
    ) {
      this.malformed++
      return
    }
    const lineField = u16(packet, 4)
    const line = lineField & 0x7fff
    if (line % LINES !== 0 || line >= MOST_LINES) {
      this.malformed++
      return
    }
    const into = this.#assemblyFor(u16(packet, 2))
    if (!into || into.here[line / LINES] === 1) {
      this.late++
      return
    }
    into.here[line / LINES] = 1
    into.packets++
    this.packets++
    into.pixels.set(packet.subarray(HEADER), line * LINE_BYTES)
    if (lineField & LAST) into.height = line + LINES
    if (into.height > 0 && isWhole(into)) this.#finish(into)
  }

  /** Undefined for a frame that is done or given up. */
  #assemblyFor(number: number): Assembly | undefined {
    if (this.#current.number === number) return this.#current
    if (this.#before.number === number) return this.#before
    const newest = this.#current.number >= 0 ? this.#current.number : this.#done
    const ahead = ((number - newest) << 16) >> 16
    // A count that jumps back far belongs to a stream that was started again.
    if (newest >= 0 && ahead <= 0 && ahead > -64) return undefined
    this.#giveUp(this.#before)
    const free = this.#before
    this.#before = this.#current
    this.#current = free
    free.number = number
    return free
  }

  #finish(frame: Assembly): void {
    const { number, height, pixels } = frame
    // What is still missing of frames before this one comes too late to be shown.
    if (frame === this.#current) this.#giveUp(this.#before)
    this.#done = number
    clear(frame)
    if (height === 272 || height === 240) {
      this.#onFrame({ number, picture: { width: WIDTH, height, pixels: pixels.slice(0, height * LINE_BYTES) } })
    } else {
      this.malformed++
    }
  }

  #giveUp(frame: Assembly): void {
    if (frame.number < 0) return
    this.lost += Math.max(1, (frame.height || MOST_LINES) / LINES - frame.packets)
    clear(frame)
  }
}

/** Whether each packet up to the frame's end is there; one below it fills no gap. */
function isWhole({ here, height }: Assembly): boolean {
  const gap = here.indexOf(0)
  return gap < 0 || gap >= height / LINES
}

function clear(frame: Assembly): void {
  frame.number = -1
  frame.height = 0
  frame.packets = 0
  frame.here.fill(0)
}

const u16 = (bytes: Uint8Array, at: number): number => (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8)
