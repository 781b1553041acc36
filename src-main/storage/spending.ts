import { z } from 'zod'
import type { Database } from './database'

const sumSchema = z.object({ cost: z.number(), milliseconds: z.number(), unpriced: z.number() })
export type Spent = z.infer<typeof sumSchema>

export interface Charge {
  readonly agentRun: string
  /** `2026-11-23` */
  readonly day: string
  readonly project: number
  /** Key of what it worked on. */
  readonly run: string
  /** USD; null when unknown. */
  readonly cost: number | null
  /** That it worked. */
  readonly milliseconds: number
}

const SUM = 'SELECT total(cost) AS cost, total(milliseconds) AS milliseconds, total(unpriced) AS unpriced FROM spending'

/** What agents have cost, by day and run; kept when the logs of their runs are not. */
export class SpendingStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** Once for each run of an agent, however often it is told. */
  add({ cost, ...charge }: Charge): void {
    this.#database
      .prepare(
        `INSERT OR IGNORE INTO spending (agent_run, day, project, run, cost, milliseconds, unpriced)
         VALUES (@agentRun, @day, @project, @run, @cost, @milliseconds, @unpriced)`,
      )
      .run({ ...charge, cost: cost ?? 0, unpriced: cost === null ? 1 : 0 })
  }

  ofRun(project: number, run: string): Spent {
    return sumSchema.parse(this.#database.prepare(`${SUM} WHERE project = ? AND run = ?`).get(project, run))
  }

  ofDay(day: string): Spent {
    return sumSchema.parse(this.#database.prepare(`${SUM} WHERE day = ?`).get(day))
  }

  get total(): Spent {
    return sumSchema.parse(this.#database.prepare(SUM).get())
  }
}
