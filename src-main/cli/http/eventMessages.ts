import { z } from 'zod'
import type { EventName } from '@shared/contract/contract'
import { failureSchema } from '@shared/contract/failure'
import { machineNameSchema } from '@shared/contract/machine'
import { address, registerSchema, spaces } from '@shared/contract/memory'

export const scriptEvents = [
  'machine.states',
  'machine.notice',
  'running.loadedChanged',
  'labels.changed',
  'snapshots.changed',
  'values.changed',
  'tasks.changed',
  'tasks.log',
  'recorder.marked',
] as const satisfies readonly EventName[]
export type ScriptEvent = (typeof scriptEvents)[number]

const MAX_FRAME_RATE = 50
const MAX_RANGES = 16

const id = z.string().min(1).max(40)
const eventList = z.array(z.enum(scriptEvents)).max(scriptEvents.length)

const rangeSchema = z
  .strictObject({ space: z.enum(spaces).default('ram'), address, length: z.int().min(1).max(0x10000) })
  .refine((range) => range.address + range.length <= 0x10000, { error: 'the range goes past $FFFF', path: ['length'] })

const framesSchema = z.strictObject({
  kind: z.literal('frames'),
  /** Chosen by the client; the same id replaces the earlier request. */
  id,
  machine: machineNameSchema.default('builtin'),
  /** Frames per second. */
  rate: z.number().min(0.1).max(MAX_FRAME_RATE),
  picture: z.boolean().default(false),
  screen: z.boolean().default(false),
  registers: z.boolean().default(false),
  memory: z.array(rangeSchema).max(MAX_RANGES).default([]),
})
export type FramesRequest = z.infer<typeof framesSchema>

export const fromClientSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('subscribe'), events: eventList }),
  z.strictObject({ kind: z.literal('unsubscribe'), events: eventList }),
  framesSchema,
  z.strictObject({ kind: z.literal('stop'), id }),
])

export const frameSchema = z.strictObject({
  kind: z.literal('frame'),
  id,
  machine: z.string(),
  /** Time of reading, ms since 1970. */
  time: z.number(),
  /** Frames left out since the last one, as the reader or the machine was behind. */
  dropped: z.int().min(0),
  screen: z.array(z.string()).optional(),
  registers: z.array(registerSchema).optional(),
  memory: z.array(z.strictObject({ space: z.enum(spaces), address, bytes: z.string() })).optional(),
  /** Its pixels follow in the same message: 4 bits each, low nibble left, colours of the VIC-II. */
  picture: z.strictObject({ width: z.int(), height: z.int() }).optional(),
})
export type SentFrame = z.infer<typeof frameSchema>

export type ToClient =
  | { readonly kind: 'subscribed'; readonly events: readonly ScriptEvent[] }
  | { readonly kind: 'event'; readonly event: ScriptEvent; readonly payload: unknown }
  | { readonly kind: 'stopped'; readonly id: string }
  | { readonly kind: 'failed'; readonly id: string | null; readonly error: z.infer<typeof failureSchema> }
  | SentFrame

const HEADER_BYTES = 4

/** The length of the JSON (32 bits, big-endian), the JSON, the pixels. */
export function packFrame(frame: SentFrame, pixels: Uint8Array): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify(frame))
  const packed = new Uint8Array(HEADER_BYTES + json.byteLength + pixels.byteLength)
  new DataView(packed.buffer).setUint32(0, json.byteLength)
  packed.set(json, HEADER_BYTES)
  packed.set(pixels, HEADER_BYTES + json.byteLength)
  return packed
}
