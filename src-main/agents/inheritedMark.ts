/**
 * A mark that all descendants of a process inherit: a raised oom_score_adj, see proc(5). Any process may raise it, only
 * a privileged one lower it. Linux only.
 */
import { randomInt } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

/** The range ends at 1000. Browsers use up to 300, and services get round numbers. */
const MARKS = Array.from({ length: 499 }, (_, index) => 401 + index).filter((mark) => mark % 50 !== 0)

export function inheritedMark(pid: number): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/oom_score_adj`, 'latin1'))
  } catch {
    return undefined
  }
}

/**
 * A mark that no other process has; undefined where none can be told. Random, as another Bridgedeck may choose at the
 * same moment. Choose it before the agent starts.
 */
export function chooseMark(): number | undefined {
  try {
    const used = new Set(readdirSync('/proc').map((name) => inheritedMark(Number(name))))
    const free = MARKS.filter((mark) => !used.has(mark))
    return free[randomInt(Math.max(1, free.length))]
  } catch {
    return undefined
  }
}

export function giveMark(pid: number, mark: number | undefined): number | undefined {
  if (mark === undefined) return undefined
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, String(mark))
    return mark
  } catch {
    // Its /proc is not ours to write: the other marks must do.
    return undefined
  }
}
