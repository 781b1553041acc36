/** The plan of a run for drawing and laying out: whole, and small. What there is to read of one row, `projects.rows` tells. */
import { z } from 'zod'
import { bridgeCommand } from './define'
import { MAX_LINE_CHARACTERS, oneRunAt, standings } from './orchestration'

export const MAX_NODES = 20_000
export const MAX_EDGES = 60_000
/** A title in a node. */
export const MAX_CAPTION_CHARACTERS = 120
export const MAX_AGENT_CHARACTERS = 60

const number = z
  .int()
  .min(0)
  .max(MAX_NODES - 1)

const graphSchema = z.strictObject({
  /** The run's. */
  revision: z.int().min(0),
  /** Of each node: the rows in their order, then what is named as a dependency and is not there. */
  keys: z.array(z.string().max(MAX_LINE_CHARACTERS)).max(MAX_NODES),
  /** Empty where it is unknown. */
  titles: z.array(z.string().max(MAX_CAPTION_CHARACTERS)).max(MAX_NODES),
  /** Places in {@link standings}. */
  standings: z
    .array(
      z
        .int()
        .min(0)
        .max(standings.length - 1),
    )
    .max(MAX_NODES),
  /** The number of each node's phase; -1 for a phase, and for what is not there. */
  phases: z
    .array(
      z
        .int()
        .min(-1)
        .max(MAX_NODES - 1),
    )
    .max(MAX_NODES),
  /** Pairs: a dependency, and what waits for it. */
  edges: z.array(number).max(2 * MAX_EDGES),
  /** Of the nodes whose agent or times are known. */
  workers: z
    .array(
      z.strictObject({
        node: number,
        /** Empty where it is unknown. */
        agent: z.string().max(MAX_AGENT_CHARACTERS),
        /** ms since 1970. */
        started: z.number().nullable(),
        completed: z.number().nullable(),
      }),
    )
    .max(MAX_NODES),
  /** The longest chain from its first on: by duration where any is known, otherwise by the count of what is not done. */
  critical: z.array(number).max(MAX_NODES),
  /** Rows of the plan; nodes from this number on are not there. */
  rows: z.int().min(0),
  /** What is beyond the bounds. */
  more: z.strictObject({ nodes: z.int().min(0), edges: z.int().min(0) }),
})
export type RunGraph = z.infer<typeof graphSchema>

export const runGraphCommands = {
  'projects.graph': bridgeCommand({ effect: 'reads', input: oneRunAt, output: graphSchema }),
} as const
