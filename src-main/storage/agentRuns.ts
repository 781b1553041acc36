import { z } from 'zod'
import { agentRunSchema, type AgentRun } from '@shared/contract/agents'
import { storedJson } from '@shared/storedJson'
import type { Database } from './database'
import { readableRows } from './rows'
import { keepAmounts } from './spending'

const rowSchema = z.object({ result: z.string().nullable() })

export class AgentRunStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  save(run: AgentRun): void {
    this.#database
      .prepare(
        `INSERT INTO agent_runs (id, agent, purpose, started_at, ended_at, result) VALUES (@run, @agent, @purpose, @askedAt, @endedAt, @result)
         ON CONFLICT (id) DO UPDATE SET ended_at = excluded.ended_at, result = excluded.result`,
      )
      .run({
        run: run.run,
        agent: run.agent,
        purpose: run.purpose,
        askedAt: run.askedAt,
        endedAt: run.endedAt,
        result: JSON.stringify(run),
      })
  }

  get(id: string): AgentRun | undefined {
    return parsed([this.#database.prepare('SELECT result FROM agent_runs WHERE id = ?').get(id)])[0]
  }

  /**
   * Newest first, as ids begin with the time.
   * @param before an id, null for the newest
   */
  page(before: string | null, count: number): AgentRun[] {
    return parsed(
      this.#database
        .prepare('SELECT result FROM agent_runs WHERE ? IS NULL OR id < ? ORDER BY id DESC LIMIT ?')
        .all(before, before, count),
    )
  }

  get open(): AgentRun[] {
    return parsed(this.#database.prepare('SELECT result FROM agent_runs WHERE ended_at IS NULL ORDER BY id').all())
  }

  get endedIds(): string[] {
    return readableRows(
      z.object({ id: z.string() }),
      this.#database.prepare('SELECT id FROM agent_runs WHERE ended_at IS NOT NULL ORDER BY id DESC').all(),
    ).map(({ id }) => id)
  }

  forget(id: string): void {
    this.#database.transaction(() => {
      keepAmounts(this.#database, id)
      this.#database.prepare('DELETE FROM agent_runs WHERE id = ?').run(id)
    })()
  }
}

/** Earlier versions kept more of a run, and not whose turn it was. */
const storedRunSchema = agentRunSchema.extend({ turn: agentRunSchema.shape.turn.default(null) }).strip()

/** A run of another version that this one cannot read is left out. */
function parsed(rows: readonly unknown[]): AgentRun[] {
  return rows.flatMap((row) => {
    const run = storedJson(rowSchema.safeParse(row).data?.result ?? undefined, storedRunSchema)
    return run ? [run] : []
  })
}
