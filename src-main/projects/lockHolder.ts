/** Whom a lock file names, and what the system tells of that process: for who is about to take the lock away. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename } from 'node:path'
import { z } from 'zod'
import { childIsAlive } from '../storage/children'

export interface LockHolder {
  readonly pid: number
  /** Undefined when it is not told: then it is taken for this computer. */
  readonly host: string | undefined
  /** Of the process, ms since 1970. */
  readonly startedAt: number | undefined
}

/** ms */
const PATIENCE = 2_000

const startSchema = z.union([z.number(), z.string().transform((text) => Date.parse(text))])
const ownerSchema = z.object({
  pid: z.int().min(1),
  host: z.string().optional(),
  hostname: z.string().optional(),
  startedAt: startSchema.optional(),
})

/** What locks hold has no one form: an object with a `pid`, a number alone, or a line such as `pid: 4711`. */
export function lockHolder(text: string): LockHolder | undefined {
  const owner = ownerSchema.safeParse(parsed(text)).data
  if (owner) return { pid: owner.pid, host: owner.host ?? owner.hostname, startedAt: owner.startedAt }
  const [, alone, named] = /^\s*(\d{1,10})\s*$|\bpid\b\W{1,5}(\d{1,10})\b/i.exec(text) ?? []
  const pid = Number(alone ?? named ?? 0)
  return pid > 0 ? { pid, host: undefined, startedAt: undefined } : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** In a sentence or two, as of now. */
export function describeHolder({ pid, host, startedAt }: LockHolder): string {
  if (host !== undefined && host !== hostname())
    return `It names process ${pid} on ${JSON.stringify(host.slice(0, 100))}, another computer: whether that is alive cannot be told here.`
  const ended = `Process ${pid}, which it names, is not there any more`
  if (!isThere(pid)) return `${ended}.`
  const program = programOf(pid)
  const what = program === undefined ? '' : `, ${JSON.stringify(program)}`
  if (startedAt !== undefined && !Number.isNaN(startedAt) && !childIsAlive({ pid, startedAt }))
    return `${ended}: another one has its number now${what}.`
  const who = pid === process.pid ? 'that is this Bridgedeck' : `that is alive${what}`
  return `Process ${pid}, which it names, may hold it now: ${who}. Taken away from it, both may write at the same time: end that process first, unless you know that the number is another’s by now.`
}

/** Also one of another user, which may not be signalled. */
function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** The program and, of an interpreter, its script: other arguments may be secret. */
function programOf(pid: number): string | undefined {
  try {
    if (process.platform === 'win32') return undefined
    if (process.platform !== 'linux')
      return (
        execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8', timeout: PATIENCE }).trim() ||
        undefined
      )
    const [program = '', script = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    const words = [basename(program), script.startsWith('-') ? '' : basename(script)].filter(Boolean).join(' ')
    return words.slice(0, 200) || readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return undefined
  }
}
