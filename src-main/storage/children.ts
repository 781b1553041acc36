import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Database } from './database'
import { readableRows } from './rows'

const childSchema = z.object({ pid: z.int(), startedAt: z.number(), purpose: z.string(), port: z.int().nullable() })
/** `startedAt` is ms since 1970; `port` is where it listens, if it does. */
export type Child = z.infer<typeof childSchema>

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

/** Also compares the start time where the system tells it, as a pid is used again after its process ended. */
export function childIsAlive({ pid, startedAt }: Pick<Child, 'pid' | 'startedAt'>): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  if (process.platform !== 'linux') return true
  const started = startOf(pid)
  // A process that took over the pid started later. An earlier start means that the clock was set back.
  return started !== undefined && started - startedAt < 5_000
}

/** ms since 1970, for {@link childIsAlive} in another process. `process.uptime` leaves out the time asleep. */
export const ownStart = (): number =>
  (process.platform === 'linux' ? startOf(process.pid) : undefined) ?? Date.now() - process.uptime() * 1000

/** Linux only, ms since 1970; undefined where the process has ended or nobody can tell. */
function startOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // A zombie has ended, but its parent has not asked for it.
    if (fields[0] === 'Z') return undefined
    const ticks = Number(fields[19])
    const uptime = Number(readFileSync('/proc/uptime', 'latin1').split(' ')[0])
    return Date.now() - (uptime - ticks / TICKS_PER_SECOND) * 1000
  } catch {
    return undefined
  }
}
