import { z } from 'zod'

const hashes = z.array(z.string())

export const repositoryStateSchema = z.object({
  /** Null before the first commit, and where there is no repository. */
  head: z.string().nullable(),
  branch: z.string().nullable(),
  tips: hashes,
  /** Files that are not committed, relative to the top of the work tree. */
  uncommitted: z.array(z.string()),
})
export type RepositoryState = z.infer<typeof repositoryStateSchema>

const place = repositoryStateSchema.pick({ head: true, branch: true })

const turnRecordSchema = z.object({
  role: z.string(),
  task: z.string().nullable(),
  taskTitle: z.string().optional(),
  /** The agent's log; empty where the turn was cut off. */
  log: z.string(),
  /** ms since 1970 */
  startedAt: z.number(),
  endedAt: z.number(),
  before: place,
  after: place,
  /** Made meanwhile on what is checked out, oldest first, as whole hashes. */
  commits: hashes,
  elsewhere: hashes,
  left: hashes,
  uncommitted: z.array(z.string()),
  /**
   * Agents that worked at the same time, so that it is unknown which one did it; each has a record of its own as well.
   */
  shared: z.array(z.object({ role: z.string(), task: z.string().nullable(), log: z.string() })).optional(),
})
export type TurnRecord = z.infer<typeof turnRecordSchema>

interface Remembered {
  readonly get: (name: string) => string | undefined
}

const MAX_KEPT_RECORDS = 200

const rangeSchema = z.object({ first: z.int(), last: z.int() })

const TURN_RECORDS = 'turns'
const turnRecordName = (number: number): string => `turn ${number}`

export function turnRecordRange(remembered: Remembered): z.infer<typeof rangeSchema> | undefined {
  return rangeSchema.safeParse(parsed(remembered.get(TURN_RECORDS))).data
}

export function turnRecords(remembered: Remembered): (TurnRecord & { readonly number: number })[] {
  const { first, last } = turnRecordRange(remembered) ?? { first: 1, last: 0 }
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index).flatMap((number) => {
    const record = turnRecordSchema.safeParse(parsed(remembered.get(turnRecordName(number)))).data
    return record ? [{ ...record, number }] : []
  })
}

export function addedTurnRecords(
  remembered: Remembered,
  records: readonly TurnRecord[],
): Readonly<Record<string, string | null>> {
  if (records.length === 0) return {}
  const { first, last } = turnRecordRange(remembered) ?? { first: 1, last: 0 }
  const newest = last + records.length
  const oldest = Math.max(first, newest - MAX_KEPT_RECORDS + 1)
  const added = records.map((record, index) => [turnRecordName(last + 1 + index), JSON.stringify(record)] as const)
  const removed = Array.from({ length: Math.max(0, Math.min(oldest, last + 1) - first) }, (_, index) => first + index)
  return {
    ...Object.fromEntries(removed.map((number) => [turnRecordName(number), null] as const)),
    ...Object.fromEntries(added.slice(-MAX_KEPT_RECORDS)),
    [TURN_RECORDS]: JSON.stringify({ first: oldest, last: newest }),
  }
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
