/** Processor time of this process and all programs that it started, as Linux counts it; elsewhere its own alone. */
import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts in hundredths of a second, whatever the kernel's own clock is (man 5 proc: sysconf(_SC_CLK_TCK)). */
const TICKS_PER_SECOND = 100

/**
 * Of this process and those below it, ended ones included that somebody waited for.
 * @param {{ isAlone: boolean }} options `isAlone`: it never started a program, which saves a look at all processes
 */
export function processorSeconds({ isAlone }) {
  if (isAlone || process.platform !== 'linux') {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }
  const processes = readdirSync('/proc')
    .filter((name) => /^\d/.test(name))
    .flatMap(readProcess)
  const byParent = Map.groupBy(processes, ({ parent }) => parent)
  const below = (pid) => (byParent.get(pid) ?? []).reduce((sum, child) => sum + child.ticks + below(child.pid), 0)
  const own = processes.find(({ pid }) => pid === process.pid)
  return ((own?.ticks ?? 0) + below(process.pid)) / TICKS_PER_SECOND
}

/** Of the programs that this process started and that have ended; 0 elsewhere than on Linux. */
export const endedChildrenSeconds = () => (readProcess('self')[0]?.ended ?? 0) / TICKS_PER_SECOND

/** Seconds that the computer's processors worked since it started; undefined elsewhere than on Linux. */
export function busySeconds() {
  if (process.platform !== 'linux') return undefined
  const [, user, nice, system, , , irq, softirq] = /^cpu .*$/m.exec(readFileSync('/proc/stat', 'utf8'))[0].split(/\s+/)
  return [user, nice, system, irq, softirq].reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND
}

/** Nothing of a process that has ended meanwhile. */
function readProcess(name) {
  try {
    const text = readFileSync(`/proc/${name}/stat`, 'utf8')
    // The name in brackets may hold anything. After it: state, parent, …; user, system, and both of ended children are 14 to 17.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [user, system, childUser, childSystem] = fields.slice(11, 15).map(Number)
    const ended = childUser + childSystem
    return [{ pid: Number.parseInt(text, 10), parent: Number(fields[1]), ticks: user + system + ended, ended }]
  } catch {
    return []
  }
}
