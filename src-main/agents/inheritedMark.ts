/**
 * A mark that all descendants of a process have, whatever they leave, clear or close: how much sooner than others the kernel
 * ends them when memory runs out (oom_score_adj in proc(5)), which is inherited over forks and programs. Any process may be
 * given a higher one by its user, and only a privileged one a lower. That agents go before the person's own programs is
 * welcome. Linux only.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

/** Of the range to 1000; browsers use up to 300. */
const LOWEST = 401
const HIGHEST = 899

/** Of a process that lives; undefined for one that has none. */
export function inheritedMark(pid: number): number | undefined {
  try {
    const mark = Number(readFileSync(`/proc/${pid}/oom_score_adj`, 'latin1'))
    return mark >= LOWEST && mark <= HIGHEST ? mark : undefined
  } catch {
    return undefined
  }
}

/** Marks a process that was just started. @returns a mark that no other process has; undefined where none can be given */
export function markDescendants(pid: number): number | undefined {
  try {
    const used = new Set(readdirSync('/proc').map((name) => inheritedMark(Number(name))))
    for (let mark = LOWEST; mark <= HIGHEST; mark++) {
      if (used.has(mark)) continue
      writeFileSync(`/proc/${pid}/oom_score_adj`, String(mark))
      return mark
    }
  } catch {
    // Not Linux, or its /proc is not ours to write: the other marks have to do.
  }
  return undefined
}
