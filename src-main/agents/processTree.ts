/**
 * Finds and ends all processes that came of one that we started. A descendant may leave the process group (setsid, a
 * daemon) and lose its parent, so each tree carries marks that descendants inherit: the cgroup's name, an environment
 * variable, the path of its output files and oom_score_adj. On Linux /proc tells of all of them; elsewhere only the
 * group is known.
 */
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { groupMark } from './cgroup'
import { inheritedMark } from './inheritedMark'

export const MARK = 'BRIDGEDECK_AGENT_RUN'

export interface Tree {
  /** Of the first process; also the id of its group. */
  readonly pid: number
  readonly mark: string
  /** A mark that is inherited whatever a process clears; absent where unknown. */
  readonly inherited?: number | undefined
}

export interface Living {
  readonly pid: number
  readonly group: number
  /** Start in clock ticks since boot: process numbers are reused, so both together identify it. */
  readonly start: number
}

interface ProcessEntry extends Living {
  readonly parent: number
  readonly session: number
}

/** Parses /proc/PID/stat (proc(5)); undefined for a process that has ended or waits to be reaped. */
export function readStat(text: string): Omit<ProcessEntry, 'pid'> | undefined {
  // The name stands in brackets and may hold anything, brackets and blanks too.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state, parent, group, session] = fields
  if (state === 'Z' || state === 'X' || session === undefined) return undefined
  return { parent: Number(parent), group: Number(group), session: Number(session), start: Number(fields[19]) }
}

function processes(): ProcessEntry[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    const stat = readStat(readOr(`/proc/${name}/stat`, ''))
    return stat ? [{ pid: Number(name), ...stat }] : []
  })
}

function readOr(path: string, otherwise: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return otherwise
  }
}

const environmentOf = (pid: number): string => `\0${readOr(`/proc/${pid}/environ`, '')}\0`
const groupOf = (pid: number): string => `${readOr(`/proc/${pid}/cgroup`, '').trimEnd()}/`

const isMarked = (pid: number, mark: string): boolean =>
  environmentOf(pid).includes(`\0${MARK}=${mark}\0`) ||
  groupOf(pid).includes(`${groupMark(mark)}/`) ||
  [1, 2].some((output) => linkOr(`/proc/${pid}/fd/${output}`, '').includes(`/${mark}/`))

/** Whether only what it inherited ties it to the tree; false for one with the mark of another agent. */
const hasInherited = (pid: number, { inherited }: Tree): boolean =>
  inherited !== undefined &&
  inheritedMark(pid) === inherited &&
  !environmentOf(pid).includes(`\0${MARK}=`) &&
  !groupOf(pid).includes(groupMark(''))

function linkOr(path: string, otherwise: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return otherwise
  }
}

const signal = (pid: number, kind: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(pid, kind)
  } catch {
    return false
  }
}

export function livingOf(tree: Tree, known: readonly Living[] = []): readonly Living[] {
  const { pid } = tree
  if (process.platform !== 'linux')
    return signal(process.platform === 'win32' ? pid : -pid, 0) ? [{ pid, group: pid, start: 0 }] : []
  const wasKnown = new Map(known.map((entry) => [entry.pid, entry.start]))
  const all = processes().filter((entry) => entry.pid !== process.pid)
  const found = new Map(
    all
      .filter(({ pid, start }) => wasKnown.get(pid) === start || isMarked(pid, tree.mark) || hasInherited(pid, tree))
      .map((entry) => [entry.pid, entry]),
  )
  for (let before = -1; before !== found.size;) {
    before = found.size
    // Only processes of the tree can be in a group or session that it made.
    const made = new Set([...found.values()].flatMap(({ group, session }) => [group, session]))
    for (const entry of all)
      if (found.has(entry.parent) || made.has(entry.group) || made.has(entry.session)) found.set(entry.pid, entry)
  }
  return [...found.values()]
}

const CHECK_INTERVAL_MS = 50
/** After SIGKILL; a process that survives it is in an uninterruptible wait of the kernel. */
const KILL_DEADLINE_MS = 3_000

/**
 * SIGTERM to the whole tree, then, after `grace` ms, SIGKILL until nothing new appears.
 * @returns the processes that survive
 */
export async function endTree(tree: Tree, grace: number): Promise<number[]> {
  const told = new Set<number>()
  let living = livingOf(tree)
  for (const [kind, time] of [
    ['SIGTERM', grace],
    ['SIGKILL', KILL_DEADLINE_MS],
  ] as const) {
    const until = performance.now() + time
    do {
      if (living.length === 0) return []
      // SIGTERM is sent once only; SIGKILL is repeated for what forks faster than it dies.
      tell(
        living.filter(({ pid }) => kind === 'SIGKILL' || !told.has(pid)),
        kind,
      )
      for (const { pid } of living) told.add(pid)
      await sleep(Math.min(CHECK_INTERVAL_MS, Math.max(1, until - performance.now())))
      // Also processes whose parent, their only tie to the tree, ended before them.
      living = livingOf(tree, living)
    } while (performance.now() < until)
  }
  return living.map(({ pid }) => pid)
}

/** Signals a group at once, so that none of it is missed between two looks. */
function tell(living: readonly Living[], kind: NodeJS.Signals): void {
  if (process.platform === 'win32') {
    for (const { pid } of living)
      spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' }).on('error', () => undefined)
    return
  }
  const groups = new Set(living.map(({ group }) => group))
  for (const group of groups) signal(-group, kind)
}
