import { z } from 'zod'
import { bridgeCommand } from './define'

/**
 * How long a bridge lives. `window`: as long as the window, and resumes where the last one stopped. `background`:
 * without a window, until its work is done or it is stopped. `call`: for one call of the command line.
 */
const bridgeLifetimes = ['window', 'background', 'call'] as const
export type BridgeLifetime = (typeof bridgeLifetimes)[number]

const nothing = z.strictObject({})

const bridgeStatusSchema = z.strictObject({
  lifetime: z.enum(bridgeLifetimes),
  pid: z.int().min(0),
  /** Start of its process, ms since 1970. */
  startedAt: z.number(),
  endsWhenIdle: z.boolean(),
})
export type BridgeStatus = z.infer<typeof bridgeStatusSchema>

export const repairNoticeSchema = z.strictObject({ message: z.string(), hint: z.string() })
export type RepairNotice = z.infer<typeof repairNoticeSchema>

export const bridgeCommands = {
  'bridge.status': bridgeCommand({ effect: 'reads', input: nothing, output: bridgeStatusSchema, page: false }),
  /** Given out once; null where there is nothing, or where the window says it. */
  'bridge.takeRepairNotice': bridgeCommand({
    effect: 'reads',
    input: nothing,
    output: z.strictObject({ notice: repairNoticeSchema.nullable() }),
    page: false,
  }),
  'bridge.stay': bridgeCommand({ effect: 'governs', input: nothing, output: nothing, page: false }),
  /** Stops a background bridge and all that runs in it; answers once its tasks have stopped, just before it ends. */
  'bridge.stop': bridgeCommand({ effect: 'governs', input: nothing, output: nothing, page: false, deadline: 15_000 }),
} as const
