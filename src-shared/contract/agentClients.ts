/** The configuration of agents' programs, so that they start our server. The page names a program, and never a file. */
import { z } from 'zod'
import { agentClients } from '../agentClients'
import { bridgeCommand, mainCommand } from './define'
import { previewSchema } from './edits'
import { grantableRights } from './steering'

const change = z.strictObject({
  client: z.enum(agentClients),
  action: z.enum(['add', 'remove']),
  /** What the agent may do without asking. */
  allow: z.array(z.enum(grantableRights)).max(grantableRights.length),
})
const shownChange = change.extend({ token: previewSchema.shape.token })
/** A warning where another program wrote the file at the same time. */
const written = z.strictObject({ file: z.string().max(4096), warning: z.string().max(2_000).nullable() })

export const agentClientsCommands = {
  /** What would change in the person's own configuration; no file where nothing would. @throws INVALID for a file that cannot be edited */
  'agentClients.preview': bridgeCommand({
    effect: 'reads',
    input: change,
    output: z.strictObject({
      file: z.string().max(4096),
      /** What the program will start. */
      command: z.string().max(20_000),
      preview: previewSchema,
    }),
  }),
  /** @throws CONFLICT where the change would be another one by now */
  'agentClients.write': bridgeCommand({ effect: 'governs', input: shownChange, output: written, page: false }),
  /** As that, once a native dialog was agreed to; null when it was not. */
  'agentClients.change': mainCommand({ input: shownChange, output: written.nullable(), deadline: 0 }),
} as const
