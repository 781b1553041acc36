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
import { accessSpaces, type AccessSpace } from '@shared/c64/banking'
import type { TouchedIn } from '@shared/contract/running'
import type { Space } from '@shared/contract/memory'
import type { Line } from '../rpc/transport'
import { CreditPort, type Credit } from './creditPort'

/** Memory is compared and sent in pages of 256 bytes: comparing 64 KiB takes some 30 µs. */
const PAGE_SIZE = 256

export interface FrameSource {
  subscribe(
    machine: string,
    request: { spaces: readonly Space[]; picture: boolean },
    listener: (frame: Frame) => void,
  ): () => void
}

type Subscription = Extract<FrameRequest, { kind: 'subscribe' }>

/**
 * Two credits and a mailbox of one: the newest frame wins, and replaced ones are counted. Each frame is sent as its
 * difference to the last one sent.
 */
export class FramePort {
  readonly #port: CreditPort<Exclude<FrameRequest, Credit>>
  readonly #source: FrameSource
  #request: Subscription | undefined
  #visible = true
  #waiting: Frame | undefined
  #dropped = 0
  #sent = new SentImages()

  constructor(line: Line, source: FrameSource, log: (message: string, error: unknown) => void) {
    this.#source = source
    this.#port = new CreditPort<Exclude<FrameRequest, Credit>>(line, {
      credits: FRAME_CREDITS,
      parse: parseFrameRequest,
      onRequest: (request) => {
        if (request.kind === 'visible') {
          this.#visible = request.visible
        } else {
          this.#request = request
          this.#dropped = 0
        }
        this.#restart()
      },
      next: () => this.#next(),
      clear: () => (this.#waiting = undefined),
      log,
    })
  }

  close(): void {
    this.#port.close()
  }

  #restart(): void {
    // Accesses of a dropped frame are in no later one, so they are merged.
    let unsent = this.#waiting
    this.#sent = new SentImages()
    const request = this.#request
    if (!request || request.machine === null || !this.#visible) {
      this.#port.unsubscribe()
      return
    }
    const { machine, spaces, picture } = request
    this.#port.subscribe(`frames of ${machine}`, () =>
      this.#source.subscribe(machine, { spaces, picture }, (frame) => {
        if (this.#waiting) this.#dropped++
        const superseded = this.#waiting ?? unsent
        unsent = undefined
        this.#waiting = superseded ? withAccessesOf(superseded, frame) : frame
        this.#port.flush()
      }),
    )
  }

  #next(): FrameDelivery | undefined {
    const frame = this.#waiting
    if (!frame || !this.#request) return undefined
    this.#waiting = undefined
    return this.#sent.difference(frame, this.#request, this.#dropped)
  }
}

class SentImages {
  #epoch = -1
  readonly #images = new Map<Space, Image>()
  #picture: Uint8Array | undefined

  difference(frame: Frame, { spaces, picture: wantsPicture }: Subscription, dropped: number): FrameDelivery {
    if (frame.epoch !== this.#epoch) {
      this.#epoch = frame.epoch
      this.#images.clear()
      this.#picture = undefined
    }
    const { picture, segments: sampled, ...rest } = frame
    const isNew = wantsPicture && picture && !(this.#picture && equal(this.#picture, picture.pixels))
    if (isNew) this.#picture = picture.pixels
    const segments: Segment[] = []
    const sameAsRam: SameAsRam[] = []
    const add = ({ space, address, bytes }: Segment) => {
      if (!spaces.includes(space)) return
      for (const { kind, from, to } of this.#runs(space, address, bytes)) {
        if (kind === 'bytes')
          segments.push({ space, address: from, bytes: exactPart(bytes, from - address, to - address) })
        else sameAsRam.push({ space, address: from, length: to - from })
      }
    }
    // RAM first: the other spaces are compared with it.
    for (const segment of sampled) if (segment.space === 'ram') add(segment)
    for (const segment of sampled) if (segment.space !== 'ram') add(segment)
    return { kind: 'frame', frame: { ...rest, segments, ...(isNew ? { picture } : {}) }, sameAsRam, dropped }
  }

  /** A page that the sample holds only in part always goes out. */
  #runs(space: Space, address: number, bytes: Uint8Array): Run[] {
    const image = this.#image(space)
    const runs: Run[] = []
    const end = address + bytes.byteLength
    for (let from = address; from < end;) {
      const page = Math.floor(from / PAGE_SIZE)
      const to = Math.min(end, (page + 1) * PAGE_SIZE)
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

interface Run {
  readonly kind: 'bytes' | 'sameAsRam'
  readonly from: number
  to: number
}

class Image {
  readonly #bytes = new Uint8Array(0x10000)
  readonly #known = new Set<number>()

  holds(page: number, bytes: Uint8Array, address: number): boolean {
    return this.#known.has(page) && equal(this.#bytes.subarray(address, address + bytes.byteLength), bytes)
  }

  put(page: number, bytes: Uint8Array, address: number): void {
    this.#bytes.set(bytes, address)
    if (bytes.byteLength === PAGE_SIZE) this.#known.add(page)
  }
}

/** The newer frame has all bytes, but accesses are per frame and must be merged. */
function withAccessesOf(superseded: Frame, frame: Frame): Frame {
  if (!superseded.accesses || superseded.epoch !== frame.epoch) return frame
  return { ...frame, accesses: frame.accesses ? merged(superseded.accesses, frame.accesses) : superseded.accesses }
}

const either = (a: Uint8Array, b: Uint8Array): Uint8Array => a.map((bits, index) => bits | (b[index] ?? 0))

type SpacesApart = NonNullable<Accesses['spaces']>

function merged(before: Accesses, after: Accesses): Accesses {
  return {
    ...after,
    reads: either(before.reads, after.reads),
    writes: either(before.writes, after.writes),
    ...(before.runs && after.runs ? { runs: either(before.runs, after.runs) } : {}),
    ...(before.spaces && after.spaces ? { spaces: mergedSpaces(before.spaces, after.spaces) } : {}),
  }
}

function mergedSpaces(before: SpacesApart, after: SpacesApart): SpacesApart {
  const spaces: Partial<Record<AccessSpace, TouchedIn>> = {}
  for (const space of accessSpaces) {
    const [earlier, later] = [before[space], after[space]]
    const touched = earlier && later ? eitherTouched(earlier, later) : (later ?? earlier)
    if (touched) spaces[space] = touched
  }
  return spaces
}

const eitherTouched = (before: TouchedIn, after: TouchedIn): TouchedIn => ({
  reads: either(before.reads, after.reads),
  writes: either(before.writes, after.writes),
  runs: either(before.runs, after.runs),
})

/** Where the part is the whole buffer, the bytes themselves, as frames do not change. */
const exactPart = (bytes: Uint8Array, from: number, to: number): Uint8Array =>
  to - from === bytes.buffer.byteLength ? bytes : bytes.slice(from, to)

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}
