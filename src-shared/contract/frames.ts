import { machineNameSchema } from './machine'
import { spaces, type Picture, type Register, type Space } from './memory'

export interface Segment {
  readonly space: Space
  readonly address: number
  /** Exact-size: a view would clone its whole backing buffer across a process border. */
  readonly bytes: Uint8Array
}

/**
 * Which addresses the CPU's bus touched since the frame before, as a machine that streams its bus tells them. Bitmaps of
 * 8,192 bytes: address n is bit n & 7 of byte n >> 3.
 */
export interface Accesses {
  readonly reads: Uint8Array
  readonly writes: Uint8Array
  /** Bytes that are no longer known: what was written to them was lost on the way. */
  readonly stale: Uint8Array
}

/** One consistent moment of a machine. A frame may hold only what changed since the one before it on the same port. */
export interface Frame {
  readonly machine: string
  /** Changes when the bridge restarts or the machine reconnects: the first frame of an epoch is complete. */
  readonly epoch: number
  /** +1 for each sample of the machine, so that a gap counts the frames that were dropped for display. */
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

/** What the page asks of the frame port. A new subscription replaces the old one and starts with a complete frame. */
export type FrameRequest =
  | { readonly kind: 'subscribe'; readonly machine: string | null; readonly spaces: readonly Space[]; readonly picture: boolean }
  | { readonly kind: 'credit' }
  /** A hidden page asks for no frames; the bridge lowers the machine's sampling with it. */
  | { readonly kind: 'visible'; readonly visible: boolean }

/** Bytes of a space that are the same as RAM's at the same addresses: the CPU sees RAM nearly everywhere. */
export interface SameAsRam {
  readonly space: Space
  readonly address: number
  readonly length: number
}

export interface FrameDelivery {
  readonly kind: 'frame'
  readonly frame: Frame
  /** What changed too but is not in the frame's segments, to be copied once those are in place. */
  readonly sameAsRam: readonly SameAsRam[]
  /** Frames of this subscription that were superseded before they could be sent. */
  readonly dropped: number
}

/** Hand-written, not zod: it runs for every message of the port. */
export function parseFrameRequest(message: unknown): FrameRequest | undefined {
  if (typeof message !== 'object' || message === null || !('kind' in message)) return undefined
  switch (message.kind) {
    case 'credit':
      return { kind: 'credit' }
    case 'visible':
      return 'visible' in message && typeof message.visible === 'boolean' ? { kind: 'visible', visible: message.visible } : undefined
    case 'subscribe': {
      if (!('machine' in message) || !('spaces' in message) || !('picture' in message)) return undefined
      const machine = message.machine === null ? null : machineNameSchema.safeParse(message.machine).data
      if (machine === undefined || !Array.isArray(message.spaces) || typeof message.picture !== 'boolean') return undefined
      const wanted = spaces.filter((space) => Array.isArray(message.spaces) && message.spaces.includes(space))
      return { kind: 'subscribe', machine, spaces: wanted, picture: message.picture }
    }
    default:
      return undefined
  }
}

const isIndex = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value >= 0

const isSpace = (value: unknown): value is Space => spaces.some((space) => space === value)

const isSameAsRam = (value: unknown): value is SameAsRam =>
  typeof value === 'object' &&
  value !== null &&
  'space' in value &&
  isSpace(value.space) &&
  'address' in value &&
  isIndex(value.address) &&
  'length' in value &&
  isIndex(value.length) &&
  value.address + value.length <= 0x10000

const isBitmap = (value: unknown): boolean => value instanceof Uint8Array && value.byteLength === 0x10000 / 8

const isAccesses = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'reads' in value &&
  isBitmap(value.reads) &&
  'writes' in value &&
  isBitmap(value.writes) &&
  'stale' in value &&
  isBitmap(value.stale)

/** Checks the header of a delivery; the bytes are trusted to be what the header says once their sizes fit. */
export function isFrameDelivery(message: unknown): message is FrameDelivery {
  if (typeof message !== 'object' || message === null || !('kind' in message) || message.kind !== 'frame') return false
  if (!('dropped' in message) || !isIndex(message.dropped) || !('frame' in message)) return false
  if (!('sameAsRam' in message) || !Array.isArray(message.sameAsRam) || !message.sameAsRam.every(isSameAsRam)) return false
  const { frame } = message
  if (typeof frame !== 'object' || frame === null) return false
  if (!('epoch' in frame) || !isIndex(frame.epoch) || !('seq' in frame) || !isIndex(frame.seq)) return false
  if ('accesses' in frame && frame.accesses !== undefined && !isAccesses(frame.accesses)) return false
  if (!('machine' in frame) || typeof frame.machine !== 'string' || !('segments' in frame) || !Array.isArray(frame.segments)) return false
  return frame.segments.every(
    (segment: unknown) =>
      typeof segment === 'object' &&
      segment !== null &&
      'address' in segment &&
      isIndex(segment.address) &&
      'bytes' in segment &&
      segment.bytes instanceof Uint8Array &&
      segment.address + segment.bytes.byteLength <= 0x10000,
  )
}
