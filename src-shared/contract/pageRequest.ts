import { z } from 'zod'
import { MAX_DROPPED_FILES } from './pageChannels'
import { planes } from './ports'

const callId = z.string().min(1).max(64)

export const pageRequestSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('call'),
    command: z.string().max(100),
    input: z.unknown(),
    callId: callId.optional(),
  }),
  z.strictObject({ kind: z.literal('cancel'), callId }),
  z.strictObject({
    kind: z.literal('connectPort'),
    plane: z.enum(planes),
    nonce: z.string().regex(/^[A-Za-z0-9-]{16,64}$/),
  }),
  /** Sent by the preload alone, for files that a person dropped: the page has no function for it. */
  z.strictObject({
    kind: z.literal('filesDropped'),
    paths: z.array(z.string().min(1).max(4096)).min(1).max(MAX_DROPPED_FILES),
  }),
])
export type PageRequest = z.infer<typeof pageRequestSchema>
