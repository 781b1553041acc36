import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Database } from './database'
import { readableRows } from './rows'

const childSchema = z.object({ pid: z.int(), startedAt: z.number(), purpose: z.string(), port: z.int().nullable() })
/** A process that we started. `startedAt` is ms since 1970 of our start of it; `port` is where it listens, if it does. */
export type Child = z.infer<typeof childSchema>

/** What we started and have not seen end, kept over a crash of the bridge so that the next one can find it again. */
export class ChildStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  record(child: Child): void {
    this.#database
      .prepare(
        'INSERT OR REPLACE INTO children (pid, started_at, purpose, port) VALUES (@pid, @startedAt, @purpose, @port)',
      )
      .run(child)
  }

  forget(pid: number): void {
    this.#database.prepare('DELETE FROM children WHERE pid = ?').run(pid)
  }

  /** Those that still run; the others are forgotten. */
  reconcile(isAlive: (child: Child) => boolean = childIsAlive): Child[] {
    const children = readableRows(
      childSchema,
      this.#database.prepare('SELECT pid, started_at AS startedAt, purpose, port FROM children').all(),
    )
    return children.filter((child) => {
      if (isAlive(child)) return true
      this.forget(child.pid)
      return false
    })
  }
}

/** Linux counts a process's start in clock ticks of 1/100 s since boot (proc(5), field 22 of stat). */
const TICKS_PER_SECOND = 100

/** Alive and, where the system tells, started when we started it: a pid is used again after its process ended. */
export function childIsAlive({ pid, startedAt }: Pick<Child, 'pid' | 'startedAt'>): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  if (process.platform !== 'linux') return true
  const started = startOf(pid)
  // Who has its pid by now started later. Earlier: the clock was set back since.
  return started !== undefined && started - startedAt < 5_000
}

/** When this process started, ms since 1970, for {@link childIsAlive} in another. `process.uptime` leaves out the time asleep. */
export const ownStart = (): number =>
  (process.platform === 'linux' ? startOf(process.pid) : undefined) ?? Date.now() - process.uptime() * 1000

/** Of a process on Linux, ms since 1970; undefined where it has ended or nobody can tell. */
function startOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // It has ended, and its parent does not ask for it.
    if (fields[0] === 'Z') return undefined
    const ticks = Number(fields[19])
    const uptime = Number(readFileSync('/proc/uptime', 'latin1').split(' ')[0])
    return Date.now() - (uptime - ticks / TICKS_PER_SECOND) * 1000
  } catch {
    return undefined
  }
}
