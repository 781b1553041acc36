/** What Bridgedeck observed of an agent's turn in a run's repository, and keeps beside the run's files. */
import { z } from 'zod'

const hashes = z.array(z.string())

export const repositoryStateSchema = z.object({
  /** Null before the first commit, and where there is no repository. */
  head: z.string().nullable(),
  /** Null where no branch is checked out. */
  branch: z.string().nullable(),
  /** Where the branches are. */
  tips: hashes,
  /** Files that are not committed, relative to the top of the work tree. */
  uncommitted: z.array(z.string()),
})
export type RepositoryState = z.infer<typeof repositoryStateSchema>

const place = repositoryStateSchema.pick({ head: true, branch: true })

const turnRecordSchema = z.object({
  role: z.string(),
  /** Key of the task that it worked on. */
  task: z.string().nullable(),
  /** Of a task whose key is its place in a list. */
  taskTitle: z.string().optional(),
  /** Of its agent's log; empty where the turn was cut off. */
  log: z.string(),
  /** ms since 1970 */
  startedAt: z.number(),
  endedAt: z.number(),
  before: place,
  after: place,
  /** Made meanwhile on what is checked out, the oldest first: whole hashes. */
  commits: hashes,
  /** Made meanwhile on other branches. */
  elsewhere: hashes,
  /** On the branch before, and not after. */
  left: hashes,
  /** Files that it left without committing them. */
  uncommitted: z.array(z.string()),
  /** Agents that worked at once, of whom nobody can tell which one did it; each has a record of its own besides. */
  shared: z.array(z.object({ role: z.string(), task: z.string().nullable(), log: z.string() })).optional(),
})
export type TurnRecord = z.infer<typeof turnRecordSchema>

interface Remembered {
  readonly get: (name: string) => string | undefined
}

/** Per run; of more, the oldest are removed. */
const MAX_KEPT_RECORDS = 200

const rangeSchema = z.object({ first: z.int(), last: z.int() })

/** The name under which the numbers of the records are kept. */
const TURN_RECORDS = 'turns'
const turnRecordName = (number: number): string => `turn ${number}`

/** The numbers of the records that are kept; undefined where none is. */
export function turnRecordRange(remembered: Remembered): z.infer<typeof rangeSchema> | undefined {
  return rangeSchema.safeParse(parsed(remembered.get(TURN_RECORDS))).data
}

/** The oldest first. */
export function turnRecords(remembered: Remembered): (TurnRecord & { readonly number: number })[] {
  const { first, last } = turnRecordRange(remembered) ?? { first: 1, last: 0 }
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index).flatMap((number) => {
    const record = turnRecordSchema.safeParse(parsed(remembered.get(turnRecordName(number)))).data
    return record ? [{ ...record, number }] : []
  })
}

/** What is to be remembered so that these come after the ones that are kept. */
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
