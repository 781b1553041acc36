import { accessSpaces, type AccessSpace } from '../c64/banking'
import type { TouchedIn } from './running'
import { machineNameSchema } from './machine'
import { spaces, type Picture, type Register, type Space } from './memory'

export interface Segment {
  readonly space: Space
  readonly address: number
  /** Exact-size: a view would clone its whole backing buffer across a process border. */
  readonly bytes: Uint8Array
}

/**
 * Addresses that the CPU touched since the frame before, from machines that stream their bus or keep a trace. Bitmaps
 * of 8,192 bytes: address n is bit n & 7 of byte n >> 3.
 */
export interface Accesses {
  /** Without those of `runs`, where there are any. */
  readonly reads: Uint8Array
  readonly writes: Uint8Array
  /** Instructions with their operands; absent where the bus does not tell them from reads. */
  readonly runs?: Uint8Array
  readonly spaces?: Readonly<Partial<Record<AccessSpace, TouchedIn>>>
  /** Bytes no longer known, as writes to them were lost on the way. Absent where nothing gets lost. */
  readonly stale?: Uint8Array
}

/** One consistent moment of a machine. May hold only what changed since the frame before on the same port. */
export interface Frame {
  readonly machine: string
  /** Changes when the bridge restarts or the machine reconnects: the first frame of an epoch is complete. */
  readonly epoch: number
  /** +1 for each sample of the machine: a gap counts the frames dropped for display. */
  readonly seq: number
  /** When the machine was read, ms since 1970, with fractions. */
  readonly time: number
  readonly segments: readonly Segment[]
  readonly registers?: readonly Register[]
  readonly picture?: Picture
  readonly accesses?: Accesses
}

/** Frames that may be under way to the page before it answers with a credit. */
export const FRAME_CREDITS = 2

/** A new subscription replaces the old one and starts with a complete frame. */
export type FrameRequest =
  | {
      readonly kind: 'subscribe'
      readonly machine: string | null
      readonly spaces: readonly Space[]
      readonly picture: boolean
    }
  | { readonly kind: 'credit' }
  /** A hidden page asks for no frames, and the bridge lowers the machine's sampling. */
  | { readonly kind: 'visible'; readonly visible: boolean }

/** Bytes of a space that equal RAM at the same addresses: the CPU sees RAM nearly everywhere. */
export interface SameAsRam {
  readonly space: Space
  readonly address: number
  readonly length: number
}

export interface FrameDelivery {
  readonly kind: 'frame'
  readonly frame: Frame
  /** Also changed, but not in the frame's segments: to be copied once those are in place. */
  readonly sameAsRam: readonly SameAsRam[]
  /** Frames of this subscription that were superseded before they could be sent. */
  readonly dropped: number
}

/** Hand-written instead of zod: it runs for every message of the port. */
export function parseFrameRequest(message: unknown): FrameRequest | undefined {
  if (typeof message !== 'object' || message === null || !('kind' in message)) return undefined
  switch (message.kind) {
    case 'credit':
      return { kind: 'credit' }
    case 'visible':
      return 'visible' in message && typeof message.visible === 'boolean'
        ? { kind: 'visible', visible: message.visible }
        : undefined
    case 'subscribe': {
      if (!('machine' in message) || !('spaces' in message) || !('picture' in message)) return undefined
      const machine = message.machine === null ? null : machineNameSchema.safeParse(message.machine).data
      if (machine === undefined || !Array.isArray(message.spaces) || typeof message.picture !== 'boolean')
        return undefined
      const wanted = spaces.filter((space) => Array.isArray(message.spaces) && message.spaces.includes(space))
      return { kind: 'subscribe', machine, spaces: wanted, picture: message.picture }
    }
    default:
      return undefined
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const isIndex = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value >= 0

const isSpace = (value: unknown): value is Space => spaces.some((space) => space === value)

const isSameAsRam = (value: unknown): value is SameAsRam =>
  isRecord(value) &&
  isSpace(value.space) &&
  isIndex(value.address) &&
  isIndex(value.length) &&
  value.address + value.length <= 0x10000

const isSegment = (value: unknown): value is Segment =>
  isRecord(value) &&
  isSpace(value.space) &&
  isIndex(value.address) &&
  value.bytes instanceof Uint8Array &&
  value.address + value.bytes.byteLength <= 0x10000

const isRegister = (value: unknown): value is Register =>
  isRecord(value) &&
  typeof value.name === 'string' &&
  isIndex(value.value) &&
  value.value <= 0xffff &&
  isIndex(value.bits)

const isPicture = (value: unknown): value is Picture =>
  isRecord(value) &&
  value.width === 384 &&
  (value.height === 272 || value.height === 247 || value.height === 240) &&
  value.pixels instanceof Uint8Array &&
  value.pixels.byteLength === (value.width * value.height) / 2

const isBitmap = (value: unknown): boolean => value instanceof Uint8Array && value.byteLength === 0x10000 / 8

const isApart = (value: unknown): boolean =>
  isRecord(value) &&
  accessSpaces.every((space) => {
    const touched = value[space]
    return (
      touched === undefined ||
      (isRecord(touched) && isBitmap(touched.reads) && isBitmap(touched.writes) && isBitmap(touched.runs))
    )
  })

const isAccesses = (value: unknown): boolean =>
  isRecord(value) &&
  isBitmap(value.reads) &&
  isBitmap(value.writes) &&
  (value.runs === undefined || isBitmap(value.runs)) &&
  (value.spaces === undefined || isApart(value.spaces)) &&
  (value.stale === undefined || isBitmap(value.stale))

/** Checks the header only; the bytes are trusted once their sizes fit. */
export function isFrameDelivery(message: unknown): message is FrameDelivery {
  if (!isRecord(message) || message.kind !== 'frame' || !isIndex(message.dropped)) return false
  const { frame, sameAsRam } = message
  if (!isRecord(frame) || !Array.isArray(sameAsRam) || !sameAsRam.every(isSameAsRam)) return false
  const { machine, epoch, seq, time, segments, registers, picture, accesses } = frame
  return (
    typeof machine === 'string' &&
    isIndex(epoch) &&
    isIndex(seq) &&
    Number.isFinite(time) &&
    Array.isArray(segments) &&
    segments.every(isSegment) &&
    (registers === undefined || (Array.isArray(registers) && registers.every(isRegister))) &&
    (picture === undefined || isPicture(picture)) &&
    (accesses === undefined || isAccesses(accesses))
  )
}
