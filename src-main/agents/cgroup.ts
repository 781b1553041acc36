/** A group of the kernel's for one agent, which no process leaves by forking. Linux with cgroup v2 where ours may be divided, else none. */
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const NAME = 'bridgedeck-agent-'

const MAX_TRIES = 5

/** The end of the path of a group, as /proc/PID/cgroup tells it. */
export const groupMark = (mark: string): string => `/${NAME}${mark}`

/**
 * Makes the group of one agent.
 * @returns the file that a process writes its number to, to enter the group; undefined where groups cannot be had
 */
export function makeGroup(mark: string): string | undefined {
  const own = ownGroup()
  if (own === undefined) return undefined
  const group = join(own, NAME + mark)
  try {
    mkdirSync(group, { recursive: true })
    return join(group, 'cgroup.procs')
  } catch {
    // Ours may not be divided: the marks of its processes have to do.
    return undefined
  }
}

/** Puts a process into its group, should another Bridgedeck have removed that while it was empty. */
export function enterGroup(pid: number, mark: string): void {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const entrance = makeGroup(mark)
    if (entrance === undefined) return
    try {
      writeFileSync(entrance, String(pid))
      return
    } catch {
      // Removed again.
    }
  }
}

/** Removes those in which nothing lives any more. */
export function removeEmptyGroups(): void {
  const own = ownGroup()
  if (own === undefined) return
  try {
    for (const name of readdirSync(own)) if (name.startsWith(NAME)) removeIfEmpty(join(own, name))
  } catch {
    // As above.
  }
}

function removeIfEmpty(group: string): void {
  try {
    rmdirSync(group)
  } catch {
    // Something lives in it, or the agent has divided it.
  }
}

/** The folder of this process's group; undefined where there is no cgroup v2. */
export function ownGroup(): string | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    const [, path] = /^0::(\/.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8')) ?? []
    // proc_pid_mountinfo(5): the root of the mount in its file system, where it is mounted, and behind the dash its type.
    const [, root, mounted] =
      /^\d+ \d+ \S+ (\S+) (\S+) .* - cgroup2 /m.exec(readFileSync('/proc/self/mountinfo', 'utf8')) ?? []
    if (path === undefined || root === undefined || mounted === undefined) return undefined
    return join(mounted, path.startsWith(root) ? path.slice(root.length) : path)
  } catch {
    return undefined
  }
}
