import { z } from 'zod'
import { bridgeCommand } from './define'
import { MAX_LINE_CHARACTERS, oneRunAt, standings } from './orchestration'

export const MAX_NODES = 20_000
export const MAX_EDGES = 60_000
export const MAX_CAPTION_CHARACTERS = 120
export const MAX_AGENT_CHARACTERS = 60

const number = z
  .int()
  .min(0)
  .max(MAX_NODES - 1)

const graphSchema = z.strictObject({
  revision: z.int().min(0),
  keys: z.array(z.string().max(MAX_LINE_CHARACTERS)).max(MAX_NODES),
  titles: z.array(z.string().max(MAX_CAPTION_CHARACTERS)).max(MAX_NODES),
  /** Indices of {@link standings}. */
  standings: z
    .array(
      z
        .int()
        .min(0)
        .max(standings.length - 1),
    )
    .max(MAX_NODES),
  /** The number of each node's phase; -1 for a phase, and for a missing dependency. */
  phases: z
    .array(
      z
        .int()
        .min(-1)
        .max(MAX_NODES - 1),
    )
    .max(MAX_NODES),
  /** Pairs: a dependency, and the node that waits for it. */
  edges: z.array(number).max(2 * MAX_EDGES),
  workers: z
    .array(
      z.strictObject({
        node: number,
        agent: z.string().max(MAX_AGENT_CHARACTERS),
        started: z.number().nullable(),
        completed: z.number().nullable(),
      }),
    )
    .max(MAX_NODES),
  /** The longest chain, first node first: by duration where any is known, otherwise by the number of nodes not done. */
  critical: z.array(number).max(MAX_NODES),
  rows: z.int().min(0),
  more: z.strictObject({ nodes: z.int().min(0), edges: z.int().min(0) }),
})
export type RunGraph = z.infer<typeof graphSchema>

export const runGraphCommands = {
  'projects.graph': bridgeCommand({ effect: 'reads', input: oneRunAt, output: graphSchema }),
} as const
