import { z } from 'zod'
import { videoStandards } from './machine'
import { bytesSchema, pictureSchema } from './memory'

/** Upper limit, above what a program can write in a frame. */
export const MAX_VIDEO_CHANGES = 8_000
export const VIC_REGISTERS = 0x2f

const byte = z.int().min(0).max(0xff)
const place = { line: z.int().min(0).max(311), cycle: z.int().min(0).max(64) }

/** `at`: for `register` the offset from $D000, for `ram` the address; for `bank` it is 0, and the value 0 to 3. */
const videoChangeSchema = z.strictObject({
  ...place,
  kind: z.enum(['register', 'bank', 'ram']),
  at: z.int().min(0).max(0xffff),
  value: byte,
})
export type VideoChange = z.infer<typeof videoChangeSchema>

export const videoFrameSchema = z.strictObject({
  standard: z.enum(videoStandards),
  /** As they were before the first change, at the top of the frame. */
  registers: bytesSchema(VIC_REGISTERS),
  bank: z.int().min(0).max(3),
  ram: bytesSchema(0x10000),
  characterRom: bytesSchema(0x1000),
  colorRam: bytesSchema(0x400),
  /** In the order in which they came; for RAM, the sprite pointers only. */
  changes: z.array(videoChangeSchema).max(MAX_VIDEO_CHANGES),
  /** As the machine drew it; null where it did not keep it, or the frame is cut. */
  picture: pictureSchema.nullable(),
  /** The machine stopped before the frame was over, or more was written than is kept. */
  isCut: z.boolean(),
  /** How often and how long the machine was held, ms; null where following it costs nothing. */
  cost: z.strictObject({ stops: z.int().min(0), ms: z.number().min(0) }).nullable(),
})
export type VideoFrame = z.infer<typeof videoFrameSchema>
