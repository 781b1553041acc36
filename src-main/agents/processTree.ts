/**
 * The processes that came of one that we started: found, signalled, and looked for again until they are gone.
 *
 * A process started with a group of its own can be signalled as a whole, but a descendant may leave the group (setsid, a
 * daemon) and lose its parent. So each tree carries marks, which descendants inherit: in the name of its cgroup where there is
 * one, in its environment, in the path of the files that it prints to, and as a number of the kernel's. On Linux /proc tells of
 * all of them; elsewhere only the group is known.
 */
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { groupMark } from './cgroup'
import { inheritedMark } from './inheritedMark'

/** The variable that marks the processes of one tree. */
export const MARK = 'BRIDGEDECK_AGENT_RUN'

export interface Tree {
  /** Of the first process, which is also the id of its group. */
  readonly pid: number
  /** The value of {@link MARK} in its environment, and the name of the folder of what it prints. */
  readonly mark: string
  /** What its processes inherit whatever they clear; not given where that is not known. */
  readonly inherited?: number | undefined
}

/** A process that lives. */
export interface Living {
  readonly pid: number
  readonly group: number
  /** When it started, in clock ticks since boot: with its number, which is given out again, it tells it from any other. */
  readonly start: number
}

interface ProcessEntry extends Living {
  readonly parent: number
  readonly session: number
}

/** A process as /proc/PID/stat tells it (proc(5)); undefined for one that has ended, or only waits to be reaped. */
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

/** Whether it is known by what it inherited alone; not one that has a mark of another agent. */
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

/**
 * Those of the tree that live now, the first process among them: the marked ones, those that were known to be of it, and whatever
 * shares their session or group or descends from them. So one that cleared its environment is found while anything ties it to
 * the others.
 */
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
    // A process can only be in a group or session that one of its own tree made, as the first one has both to itself.
    const made = new Set([...found.values()].flatMap(({ group, session }) => [group, session]))
    for (const entry of all)
      if (found.has(entry.parent) || made.has(entry.group) || made.has(entry.session)) found.set(entry.pid, entry)
  }
  return [...found.values()]
}

/** How often a tree is checked while it ends. */
const CHECK_INTERVAL_MS = 50
/** After SIGKILL; one that then still lives is in a wait of the kernel's that nothing ends. */
const KILL_DEADLINE_MS = 3_000

/**
 * Ends the tree: SIGTERM to all of it, SIGKILL after `grace` ms to what is left, again and again until nothing new appears.
 * @returns the processes that live in spite of it
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
      // Whoever ends tidily at SIGTERM is not told twice; SIGKILL is for whatever forks faster than it dies.
      tell(
        living.filter(({ pid }) => kind === 'SIGKILL' || !told.has(pid)),
        kind,
      )
      for (const { pid } of living) told.add(pid)
      await sleep(Math.min(CHECK_INTERVAL_MS, Math.max(1, until - performance.now())))
      // Also those whose parent, their one tie to the tree, has died of it before them.
      living = livingOf(tree, living)
    } while (performance.now() < until)
  }
  return living.map(({ pid }) => pid)
}

/** A group at once, so that none of it is missed between two looks. */
function tell(living: readonly Living[], kind: NodeJS.Signals): void {
  if (process.platform === 'win32') {
    for (const { pid } of living)
      spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' }).on('error', () => undefined)
    return
  }
  const groups = new Set(living.map(({ group }) => group))
  for (const group of groups) signal(-group, kind)
}
