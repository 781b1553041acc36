import { z } from 'zod'
import { agentCallSchema, type AgentCall } from '@shared/contract/steering'
import { storedJson } from '@shared/storedJson'
import type { Database } from './database'
import { readableRow } from './rows'

const KEPT_CALLS = 10_000
/** Each commit is synced to disk, so calls of one moment are written together. */
const WRITE_DELAY_MS = 500

const rowSchema = z.object({ result: z.string() })

export class AgentCallStore {
  readonly #database: Database
  readonly #pending = new Map<number, AgentCall>()
  #timer: NodeJS.Timeout | undefined
  #last: number

  constructor(database: Database) {
    this.#database = database
    this.#last = z
      .object({ last: z.number() })
      .parse(database.prepare('SELECT coalesce(max(call), 0) AS last FROM agent_calls').get()).last
  }

  nextNumber(): number {
    return ++this.#last
  }

  keep(call: AgentCall): void {
    this.#pending.set(call.call, call)
    this.#timer ??= setTimeout(() => this.write(), WRITE_DELAY_MS)
  }

  /**
   * Newest first.
   * @param before null for the newest
   * @param name null for all agents
   */
  page(before: number | null, name: string | null, count: number): AgentCall[] {
    this.write()
    return this.#database
      .prepare(
        `SELECT result FROM agent_calls WHERE (@before IS NULL OR call < @before) AND (@name IS NULL OR name = @name)
         ORDER BY call DESC LIMIT @count`,
      )
      .all({ before, name, count })
      .flatMap((row) => storedJson(readableRow(rowSchema, row)?.result, agentCallSchema) ?? [])
  }

  get(call: number): AgentCall | undefined {
    return this.#pending.get(call) ?? this.page(call + 1, null, 1).find((kept) => kept.call === call)
  }

  write(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#pending.size === 0) return
    const calls = [...this.#pending.values()]
    this.#pending.clear()
    this.#database.transaction(() => {
      const insert = this.#database.prepare('INSERT OR REPLACE INTO agent_calls (call, name, result) VALUES (?, ?, ?)')
      for (const call of calls) insert.run(call.call, call.name, JSON.stringify(call))
      this.#database.prepare('DELETE FROM agent_calls WHERE call <= ?').run(this.#last - KEPT_CALLS)
    })()
  }
}
