/** What the recorder and its workers say to each other. */
import type { Frame } from '@shared/contract/frames'
import { failureSchema } from '@shared/contract/errors'
import { address, bytesSchema, pictureSchema, registerSchema, spaces } from '@shared/contract/memory'
import {
  changeSchema,
  conditionSchema,
  damageSchema,
  exportSchema,
  momentSchema,
  recordingInfoSchema,
} from '@shared/contract/recorder'
import { z } from 'zod'
import { callSchema, cancelSchema, replySchema, type Call, type Cancel } from '../bridge/messages'

const nothing = z.strictObject({})
const count = z.int().min(0)
const time = z.number()
const path = z.string().min(1)
const handle = z.strictObject({ handle: count })
const space = z.enum(spaces)
const span = z.strictObject({ from: time.optional(), to: time.optional() })
const cell = z.strictObject({ path, space, address, span })
const damages = z.array(damageSchema)
const byte = z.int().min(0).max(255)

export const infoSchema = recordingInfoSchema.omit({ recording: true, name: true, open: true })

export const requests = {
  /** `handle` stands for the recording from then on. */
  open: { input: handle.extend({ path }), output: z.strictObject({ frames: count, bytes: count }) },
  /** Resolves when all frames that were sent before are on disk. */
  flush: { input: handle, output: nothing },
  close: { input: handle, output: nothing },
  pin: { input: z.strictObject({ path, pinned: z.boolean() }), output: nothing },
  /** Closes the file if it is still open from the last question, so that it can be deleted. */
  forget: { input: z.strictObject({ path }), output: nothing },
  info: { input: z.strictObject({ path }), output: infoSchema },
  imageAt: {
    input: z.strictObject({ path, time, spaces: z.array(space), picture: z.boolean() }),
    output: momentSchema,
  },
  changes: {
    input: cell.extend({ order: z.enum(['first', 'last']), limit: count }),
    output: z.strictObject({ changes: z.array(changeSchema), total: count, damages }),
  },
  values: {
    input: cell.extend({ points: count }),
    output: z.strictObject({
      points: z.array(z.strictObject({ time, value: byte, low: byte, high: byte })),
      exact: z.boolean(),
      damages,
    }),
  },
  firstWhen: {
    input: cell.extend({ condition: conditionSchema }),
    output: z.strictObject({ found: changeSchema.nullable(), damages }),
  },
  difference: {
    input: z.strictObject({ path, space, times: z.tuple([time, time]) }),
    output: z.strictObject({
      ranges: z.array(z.strictObject({ address, before: bytesSchema(0x10000), after: bytesSchema(0x10000) })),
      unknown: z.array(z.strictObject({ address, length: count })),
    }),
  },
  export: {
    input: z.strictObject({ path, to: path, wish: exportSchema }),
    output: z.strictObject({ bytes: count, damages }),
  },
} as const

export type Requests = typeof requests
export type RequestName = keyof Requests
export type RequestInput<Name extends RequestName> = z.infer<Requests[Name]['input']>
export type RequestOutput<Name extends RequestName> = z.infer<Requests[Name]['output']>

export const isRequestName = (name: string): name is RequestName => Object.hasOwn(requests, name)

/** As it is written; what was accessed is no part of a recording. */
export type RecordedFrame = Omit<Frame, 'accesses'>

const frameSchema = z.strictObject({
  machine: z.string().max(200),
  epoch: count,
  seq: count,
  time,
  segments: z.array(
    z
      .strictObject({ space, address, bytes: bytesSchema(0x10000) })
      .refine(({ address, bytes }) => address + bytes.length <= 0x10000),
  ),
  registers: z.array(registerSchema).max(64).optional(),
  picture: pictureSchema.optional(),
})

/** What the recorder sends. Only requests are answered. */
export const orderSchema = z.discriminatedUnion('kind', [
  callSchema,
  cancelSchema,
  z.strictObject({ kind: z.literal('frame'), handle: count, frame: frameSchema }),
])
export type Order = Call | Cancel | { readonly kind: 'frame'; readonly handle: number; readonly frame: RecordedFrame }

/** What a worker says. */
export const eventSchema = z.discriminatedUnion('kind', [
  replySchema,
  /** So many of the frames that were sent are dealt with; after a failure no more of them are taken. */
  z.strictObject({
    kind: z.literal('progress'),
    handle: count,
    taken: count,
    frames: count,
    bytes: count,
    failure: failureSchema.nullable(),
  }),
  /** Of the export to that file, percent. */
  z.strictObject({ kind: z.literal('exported'), to: path, percent: z.int().min(0).max(100) }),
])
export type WorkerEvent = z.infer<typeof eventSchema>
