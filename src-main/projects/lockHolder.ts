import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename } from 'node:path'
import type { LockHolder } from '../formats/edit/lockHolder'
import { childIsAlive } from '../storage/children'
import { isCode } from '../files/fileErrors'

const PS_TIMEOUT_MS = 2_000

export function describeHolder({ pid, host, startedAt }: LockHolder): string {
  if (host !== undefined && host !== hostname())
    return `The lock names process ${pid} on another computer, ${JSON.stringify(host.slice(0, 100))}: Bridgedeck cannot check whether it is running.`
  const ended = `Process ${pid}, which the lock names, has ended`
  if (!isAlive(pid)) return `${ended}.`
  const program = programOf(pid)
  const what = program === undefined ? '' : `, ${JSON.stringify(program)}`
  if (startedAt !== undefined && !Number.isNaN(startedAt) && !childIsAlive({ pid, startedAt }))
    return `${ended}: another process has its number now${what}.`
  const who = pid === process.pid ? 'it is this Bridgedeck' : `it is running${what}`
  return `Process ${pid}, which the lock names, may still hold it: ${who}. If you remove the lock, both may write at the same time. End that process first, unless you know that its number was reused.`
}

/** EPERM: a process of another user, which may not be signalled. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return isCode(error, 'EPERM')
  }
}

/** Without arguments, as these may be secret; for an interpreter with its script. */
function programOf(pid: number): string | undefined {
  try {
    if (process.platform === 'win32') return undefined
    if (process.platform !== 'linux')
      return (
        execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8', timeout: PS_TIMEOUT_MS }).trim() ||
        undefined
      )
    const [program = '', script = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    const name = [basename(program), script.startsWith('-') ? '' : basename(script)].filter(Boolean).join(' ')
    return name.slice(0, 200) || readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return undefined
  }
}
