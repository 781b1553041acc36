/**
 * A mark that all descendants of a process have, whatever they leave, clear or close: how much sooner than others the kernel
 * ends them when memory runs out (oom_score_adj in proc(5)), which is inherited over forks and programs. Any process may be
 * given a higher one by its user, and only a privileged one a lower. That agents go before the person's own programs is
 * welcome. Linux only.
 */
import { randomInt } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

/** Of the range to 1000. Browsers use up to 300, and what services are given is round. */
const MARKS = Array.from({ length: 499 }, (_, index) => 401 + index).filter((mark) => mark % 50 !== 0)

/** What a process has; undefined where the system does not tell. */
export function inheritedMark(pid: number): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/oom_score_adj`, 'latin1'))
  } catch {
    return undefined
  }
}

/**
 * A mark that no other process has, to be given by {@link giveMark}; undefined where none can be told. Another Bridgedeck may choose
 * the same at the same moment, so it is chosen at random, and is no proof against a mark of another agent. Looking through all
 * processes takes a while, in which an agent could start others: it is chosen before the agent is started.
 */
export function chooseMark(): number | undefined {
  try {
    const used = new Set(readdirSync('/proc').map((name) => inheritedMark(Number(name))))
    const free = MARKS.filter((mark) => !used.has(mark))
    return free[randomInt(Math.max(1, free.length))]
  } catch {
    // Not Linux.
    return undefined
  }
}

/** Marks a process that was just started. @returns the mark that it has now, if any */
export function giveMark(pid: number, mark: number | undefined): number | undefined {
  if (mark === undefined) return undefined
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, String(mark))
    return mark
  } catch {
    // Its /proc is not ours to write: the other marks have to do.
    return undefined
  }
}
