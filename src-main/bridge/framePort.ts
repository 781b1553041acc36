import {
  FRAME_CREDITS,
  parseFrameRequest,
  type Accesses,
  type Frame,
  type FrameDelivery,
  type FrameRequest,
  type SameAsRam,
  type Segment,
} from '@shared/contract/frames'
import type { Space } from '@shared/contract/memory'
import type { Line } from '../rpc/transport'

/** Memory is compared and sent in pages: the 6502's own unit, and few enough to compare 64 KiB in some 30 µs. */
const PAGE = 256

export interface FrameSource {
  /** Called for each new frame of the machine until the returned function is called. */
  subscribe(
    machine: string,
    wish: { spaces: readonly Space[]; picture: boolean },
    listener: (frame: Frame) => void,
  ): () => void
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
        const superseded = this.#waiting
        if (superseded) this.#dropped++
        const wanted = this.#only(frame, spaces, picture)
        this.#waiting = superseded ? withAccessesOf(superseded, wanted) : wanted
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
    const delivery: FrameDelivery = { kind: 'frame', ...this.#sent.difference(this.#waiting), dropped: this.#dropped }
    this.#waiting = undefined
    this.#line.post(delivery)
  }
}

/** What the consumer already has, so that only changed pages and pictures go out. */
class SentImages {
  #epoch = -1
  readonly #images = new Map<Space, Image>()
  #picture: Uint8Array | undefined

  difference(frame: Frame): Pick<FrameDelivery, 'frame' | 'sameAsRam'> {
    if (frame.epoch !== this.#epoch) {
      this.#epoch = frame.epoch
      this.#images.clear()
      this.#picture = undefined
    }
    const { picture, ...rest } = frame
    const isNew = picture && !(this.#picture && equal(this.#picture, picture.pixels))
    if (isNew) this.#picture = picture.pixels
    const segments: Segment[] = []
    const sameAsRam: SameAsRam[] = []
    // RAM first: the other spaces are compared with it.
    const ordered = frame.segments.toSorted((a, b) => Number(b.space === 'ram') - Number(a.space === 'ram'))
    for (const { space, address, bytes } of ordered) {
      for (const { kind, from, to } of this.#runs(space, address, bytes)) {
        if (kind === 'bytes') segments.push({ space, address: from, bytes: bytes.slice(from - address, to - address) })
        else sameAsRam.push({ space, address: from, length: to - from })
      }
    }
    return { frame: { ...rest, segments, ...(isNew ? { picture } : {}) }, sameAsRam }
  }

  /** The runs of pages that differ from what was sent last. A page that the sample holds only in part always goes out. */
  #runs(space: Space, address: number, bytes: Uint8Array): Run[] {
    const image = this.#image(space)
    const runs: Run[] = []
    const end = address + bytes.byteLength
    for (let from = address; from < end;) {
      const page = Math.floor(from / PAGE)
      const to = Math.min(end, (page + 1) * PAGE)
      const fresh = bytes.subarray(from - address, to - address)
      if (!image.holds(page, fresh, from)) {
        const kind = space !== 'ram' && this.#image('ram').holds(page, fresh, from) ? 'sameAsRam' : 'bytes'
        image.put(page, fresh, from)
        const last = runs.at(-1)
        if (last?.to === from && last.kind === kind) last.to = to
        else runs.push({ kind, from, to })
      }
      from = to
    }
    return runs
  }

  #image(space: Space): Image {
    const image = this.#images.get(space) ?? new Image()
    this.#images.set(space, image)
    return image
  }
}

/** Whole pages, and how they go out. */
interface Run {
  readonly kind: 'bytes' | 'sameAsRam'
  readonly from: number
  to: number
}

/** What the consumer has of one space. */
class Image {
  readonly #bytes = new Uint8Array(0x10000)
  /** Pages that were sent whole. */
  readonly #known = new Set<number>()

  holds(page: number, bytes: Uint8Array, address: number): boolean {
    return this.#known.has(page) && equal(this.#bytes.subarray(address, address + bytes.byteLength), bytes)
  }

  put(page: number, bytes: Uint8Array, address: number): void {
    this.#bytes.set(bytes, address)
    if (bytes.byteLength === PAGE) this.#known.add(page)
  }
}

/** Bytes are told whole by the next frame; what was accessed is not, and is taken along. */
function withAccessesOf(superseded: Frame, frame: Frame): Frame {
  if (!superseded.accesses || superseded.epoch !== frame.epoch) return frame
  return { ...frame, accesses: frame.accesses ? joined(superseded.accesses, frame.accesses) : superseded.accesses }
}

function joined(before: Accesses, after: Accesses): Accesses {
  const either = (a: Uint8Array, b: Uint8Array) => a.map((bits, index) => bits | (b[index] ?? 0))
  return { reads: either(before.reads, after.reads), writes: either(before.writes, after.writes), stale: after.stale }
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}
