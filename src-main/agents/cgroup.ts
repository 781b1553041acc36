/**
 * A kernel group for one agent, which no process leaves by forking. Only on Linux with cgroup v2, where our own group
 * may be divided.
 */
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const NAME = 'bridgedeck-agent-'

const MAX_TRIES = 5

export const groupMark = (mark: string): string => `/${NAME}${mark}`

/** @returns the file to which a process writes its number to enter the group; undefined where groups cannot be had */
export function makeGroup(mark: string): string | undefined {
  const own = ownGroup()
  if (own === undefined) return undefined
  const group = join(own, NAME + mark)
  try {
    mkdirSync(group, { recursive: true })
    return join(group, 'cgroup.procs')
  } catch {
    // Our cgroup may not be divided: the marks of its processes must do.
    return undefined
  }
}

export function enterGroup(pid: number, mark: string): void {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const entrance = makeGroup(mark)
    if (entrance === undefined) return
    try {
      writeFileSync(entrance, String(pid))
      return
    } catch {
      // The group was removed again.
    }
  }
}

export function removeEmptyGroups(): void {
  const own = ownGroup()
  if (own === undefined) return
  try {
    for (const name of readdirSync(own)) if (name.startsWith(NAME)) removeIfEmpty(join(own, name))
  } catch {
    // The group was removed again.
  }
}

function removeIfEmpty(group: string): void {
  try {
    rmdirSync(group)
  } catch {
    // Something lives in it, or the agent has divided it.
  }
}

export function ownGroup(): string | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    const [, path] = /^0::(\/.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8')) ?? []
    // proc_pid_mountinfo(5): root of the mount in its file system, mount point and, behind the dash, its type.
    const [, root, mounted] =
      /^\d+ \d+ \S+ (\S+) (\S+) .* - cgroup2 /m.exec(readFileSync('/proc/self/mountinfo', 'utf8')) ?? []
    if (path === undefined || root === undefined || mounted === undefined) return undefined
    return join(mounted, path.startsWith(root) ? path.slice(root.length) : path)
  } catch {
    return undefined
  }
}
