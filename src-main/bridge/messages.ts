import { z } from 'zod'
import { failureSchema } from '@shared/contract/failure'
import type { Call, Cancel, Reply } from '../rpc/messages'

/** To be raised when messages of either side change their meaning; a mismatch is refused at the start. */
export const PROTOCOL_VERSION = 2

const callSchema = z.strictObject({
  kind: z.literal('call'),
  id: z.int().min(0),
  command: z.string().max(100),
  /** Parsed with the command's own schema where the sender is not trusted. */
  input: z.unknown(),
  agentCall: z
    .int()
    .min(1)
    .max(2 ** 31)
    .exactOptional(),
}) satisfies z.ZodType<Call>
const cancelSchema = z.strictObject({ kind: z.literal('cancel'), id: z.int().min(0) }) satisfies z.ZodType<Cancel>
const replySchema = z.strictObject({
  kind: z.literal('reply'),
  id: z.int().min(0),
  result: z.discriminatedUnion('ok', [
    z.strictObject({ ok: z.literal(true), data: z.unknown() }),
    z.strictObject({ ok: z.literal(false), error: failureSchema }),
  ]),
}) satisfies z.ZodType<Reply>

const pingSchema = z.strictObject({ kind: z.literal('ping'), at: z.number() })

export const fromClientSchema = z.discriminatedUnion('kind', [callSchema, cancelSchema, pingSchema])

export const toBridgeSchema = z.discriminatedUnion('kind', [
  ...fromClientSchema.options,
  z.strictObject({ kind: z.literal('suspend') }),
  z.strictObject({ kind: z.literal('resume') }),
  z.strictObject({ kind: z.literal('shutdown') }),
])
export type ToBridge = z.infer<typeof toBridgeSchema>

export const fromBridgeSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ready'), protocol: z.int() }),
  replySchema,
  z.strictObject({ kind: z.literal('event'), event: z.string().max(100), payload: z.unknown() }),
  /**
   * The last message. To the supervisor: it cannot start, and another try would not help. To a client: why it is
   * dropped.
   */
  z.strictObject({ kind: z.literal('failed'), error: failureSchema }),
  z.strictObject({ kind: z.literal('pong'), at: z.number() }),
])
export type FromBridge = z.infer<typeof fromBridgeSchema>
