/** The page names a program, and never a file. */
import { z } from 'zod'
import { agentClients } from '../agentClients'
import { bridgeCommand, mainCommand } from './define'
import { previewSchema } from './edits'
import { grantableRights } from './steering'

const change = z.strictObject({
  client: z.enum(agentClients),
  action: z.enum(['add', 'remove']),
  allow: z.array(z.enum(grantableRights)).max(grantableRights.length),
})
const shownChange = change.extend({ token: previewSchema.shape.token })
/** The warning says that another program wrote the file at the same time. */
const written = z.strictObject({ file: z.string().max(4096), warning: z.string().max(2_000).nullable() })

export const agentClientsCommands = {
  /** File is null where nothing would change. @throws INVALID for a file that cannot be edited */
  'agentClients.preview': bridgeCommand({
    effect: 'reads',
    input: change,
    output: z.strictObject({
      file: z.string().max(4096),
      command: z.string().max(20_000),
      preview: previewSchema,
    }),
  }),
  /** @throws CONFLICT where the change would differ by now */
  'agentClients.write': bridgeCommand({ effect: 'governs', input: shownChange, output: written, page: false }),
  /** Only after a native dialog was agreed to; null when it was not. */
  'agentClients.change': mainCommand({ input: shownChange, output: written.nullable(), deadline: 0 }),
} as const
