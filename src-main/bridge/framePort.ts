import { FRAME_CREDITS, parseFrameRequest, type Frame, type FrameDelivery, type FrameRequest, type Segment } from '@shared/contract/frames'
import type { Space } from '@shared/contract/memory'
import type { Line } from './transport'

/** Memory is compared and sent in pages: the 6502's own unit, and few enough to compare 64 KiB in some 30 µs. */
const PAGE = 256

export interface FrameSource {
  /** Called for each new frame of the machine until the returned function is called. */
  subscribe(machine: string, wish: { spaces: readonly Space[]; picture: boolean }, listener: (frame: Frame) => void): () => void
}

/**
 * One consumer of frames. It has two credits and a one-slot mailbox: the newest frame wins, and what it replaced is
 * counted. Each frame is sent as its difference to the last one that was sent, which the order of the line allows.
 */
export class FramePort {
  readonly #line: Line
  readonly #source: FrameSource
  readonly #log: (message: string, error: unknown) => void
  #unsubscribe: (() => void) | undefined
  #request: Extract<FrameRequest, { kind: 'subscribe' }> | undefined
  #visible = true
  #credits = FRAME_CREDITS
  #waiting: Frame | undefined
  #dropped = 0
  #sent = new SentImages()

  constructor(line: Line, source: FrameSource, log: (message: string, error: unknown) => void) {
    this.#line = line
    this.#source = source
    this.#log = log
    line.onMessage((message) => this.#onMessage(message))
    line.onClose(() => this.#stop())
  }

  close(): void {
    this.#stop()
    this.#line.close()
  }

  #onMessage(message: unknown): void {
    const request = parseFrameRequest(message)
    switch (request?.kind) {
      case 'credit':
        this.#credits = Math.min(FRAME_CREDITS, this.#credits + 1)
        this.#flush()
        break
      case 'visible':
        this.#visible = request.visible
        this.#restart()
        break
      case 'subscribe':
        this.#request = request
        this.#dropped = 0
        this.#restart()
        break
      case undefined:
        break
    }
  }

  #stop(): void {
    this.#unsubscribe?.()
    this.#unsubscribe = undefined
    this.#waiting = undefined
  }

  #restart(): void {
    this.#stop()
    this.#sent = new SentImages()
    const { machine, spaces, picture } = this.#request ?? { machine: null, spaces: [], picture: false }
    if (machine === null || !this.#visible) return
    try {
      this.#unsubscribe = this.#source.subscribe(machine, { spaces, picture }, (frame) => {
        if (this.#waiting) this.#dropped++
        this.#waiting = this.#only(frame, spaces, picture)
        this.#flush()
      })
    } catch (error) {
      this.#log(`No frames of ${machine}`, error)
    }
  }

  /** Other subscribers may have asked for more than this one did. */
  #only(frame: Frame, spaces: readonly Space[], picture: boolean): Frame {
    const { picture: shown, ...rest } = frame
    return {
      ...rest,
      segments: frame.segments.filter(({ space }) => spaces.includes(space)),
      ...(picture && shown ? { picture: shown } : {}),
    }
  }

  #flush(): void {
    if (!this.#waiting || this.#credits === 0) return
    this.#credits--
    const delivery: FrameDelivery = { kind: 'frame', frame: this.#sent.difference(this.#waiting), dropped: this.#dropped }
    this.#waiting = undefined
    this.#line.post(delivery)
  }
}

/** What the consumer already has, so that only changed pages and pictures go out. */
class SentImages {
  #epoch = -1
  readonly #images = new Map<Space, { bytes: Uint8Array; known: Set<number> }>()
  #picture: Uint8Array | undefined

  difference(frame: Frame): Frame {
    if (frame.epoch !== this.#epoch) {
      this.#epoch = frame.epoch
      this.#images.clear()
      this.#picture = undefined
    }
    const { picture, ...rest } = frame
    const isNew = picture && !(this.#picture && equal(this.#picture, picture.pixels))
    if (isNew) this.#picture = picture.pixels
    return {
      ...rest,
      segments: frame.segments.flatMap((segment) => this.#changed(segment)),
      ...(isNew ? { picture } : {}),
    }
  }

  /** The runs of pages that differ from what was sent last. A page that the sample holds only in part always goes out. */
  #changed({ space, address, bytes }: Segment): Segment[] {
    const image = this.#images.get(space) ?? { bytes: new Uint8Array(0x10000), known: new Set<number>() }
    this.#images.set(space, image)
    const runs: Segment[] = []
    const end = address + bytes.byteLength
    let runStart = address
    let from = address
    while (from < end) {
      const page = Math.floor(from / PAGE)
      const to = Math.min(end, (page + 1) * PAGE)
      const fresh = bytes.subarray(from - address, to - address)
      if (image.known.has(page) && equal(image.bytes.subarray(from, to), fresh)) {
        if (runStart < from) runs.push(run(runStart, from))
        runStart = to
      } else {
        image.bytes.set(fresh, from)
        if (fresh.byteLength === PAGE) image.known.add(page)
      }
      from = to
    }
    if (runStart < end) runs.push(run(runStart, end))
    return runs

    function run(first: number, after: number): Segment {
      return { space, address: first, bytes: bytes.slice(first - address, after - address) }
    }
  }
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}
