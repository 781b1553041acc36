import { z } from 'zod'
import type { Database } from './database'

const sumSchema = z.object({
  cost: z.number(),
  milliseconds: z.number(),
  unpriced: z.number(),
  estimated: z.number(),
})
export type Spent = z.infer<typeof sumSchema>

export interface Charge {
  readonly agentRun: string
  /** `2026-11-23` */
  readonly day: string
  readonly night: string
  readonly project: number
  readonly run: string
  /** USD; null when unknown. */
  readonly cost: number | null
  readonly isEstimated?: boolean
  readonly milliseconds: number
}

const KNOWN_AMOUNTS = `
  SELECT id,
    coalesce(json_extract(result, '$.cost'), 0) AS cost,
    coalesce(json_extract(result, '$.endedAt') - json_extract(result, '$.startedAt'), 0) AS milliseconds,
    json_extract(result, '$.cost') IS NULL AND json_extract(result, '$.startedAt') IS NOT NULL AS unpriced,
    iif(json_extract(result, '$.pricesOf') IS NULL, 0, coalesce(json_extract(result, '$.cost'), 0)) AS estimated
  FROM agent_runs WHERE ended_at IS NOT NULL AND json_valid(result)`
const amount = (name: keyof Spent): string => `total(iif(known.id IS NULL, spending.${name}, known.${name})) AS ${name}`
const SUM = `SELECT ${amount('cost')}, ${amount('milliseconds')}, ${amount('unpriced')}, ${amount('estimated')}
  FROM spending LEFT JOIN (${KNOWN_AMOUNTS}) AS known ON known.id = spending.agent_run`

const IS_OPEN = 'cost = 0 AND milliseconds = 0 AND unpriced = 0'

export class SpendingStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  open({ agentRun, day, night, project, run }: Omit<Charge, 'cost' | 'isEstimated' | 'milliseconds'>): void {
    this.#database
      .prepare(
        `INSERT OR IGNORE INTO spending (agent_run, day, night, project, run, cost, milliseconds, unpriced)
         VALUES (?, ?, ?, ?, ?, 0, 0, 0)`,
      )
      .run(agentRun, day, night, project, run)
  }

  /** Counts each run of an agent once, however often it is added; a price that comes later counts. */
  add({ cost, isEstimated = false, ...charge }: Charge): void {
    this.#database
      .prepare(
        `INSERT INTO spending (agent_run, day, night, project, run, cost, milliseconds, unpriced, estimated)
         VALUES (@agentRun, @day, @night, @project, @run, @cost, @milliseconds, @unpriced, @estimated)
         ON CONFLICT (agent_run) DO UPDATE SET
           day = iif(${IS_OPEN}, excluded.day, day),
           night = iif(${IS_OPEN}, excluded.night, night),
           cost = iif(excluded.unpriced, cost, excluded.cost),
           estimated = iif(excluded.unpriced, estimated, excluded.estimated),
           milliseconds = max(milliseconds, excluded.milliseconds),
           unpriced = iif(excluded.unpriced, unpriced OR (${IS_OPEN}), 0)`,
      )
      .run({
        ...charge,
        cost: cost ?? 0,
        unpriced: cost === null ? 1 : 0,
        estimated: isEstimated ? (cost ?? 0) : 0,
      })
  }

  ofRun(project: number, run: string): Spent {
    return sumSchema.parse(this.#database.prepare(`${SUM} WHERE project = ? AND run = ?`).get(project, run))
  }

  ofDay(day: string): Spent {
    return sumSchema.parse(this.#database.prepare(`${SUM} WHERE day = ?`).get(day))
  }

  ofNight(night: string): Spent {
    return sumSchema.parse(this.#database.prepare(`${SUM} WHERE night = ?`).get(night))
  }

  get total(): Spent {
    return sumSchema.parse(this.#database.prepare(SUM).get())
  }
}

export function keepAmounts(database: Database, agentRun: string): void {
  database
    .prepare(
      `UPDATE spending SET cost = known.cost, milliseconds = known.milliseconds, unpriced = known.unpriced,
         estimated = known.estimated
       FROM (${KNOWN_AMOUNTS}) AS known WHERE known.id = spending.agent_run AND agent_run = ?`,
    )
    .run(agentRun)
}
