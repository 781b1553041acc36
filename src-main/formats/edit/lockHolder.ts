import { z } from 'zod'

export interface LockHolder {
  readonly pid: number
  /** Undefined when unknown; this computer is assumed then. */
  readonly host: string | undefined
  /** Of the process, ms since 1970. */
  readonly startedAt: number | undefined
}

const startSchema = z.union([z.number(), z.string().transform((text) => Date.parse(text))])
const ownerSchema = z.object({
  pid: z.int().min(1),
  host: z.string().optional(),
  hostname: z.string().optional(),
  startedAt: startSchema.optional(),
})

/** Accepts an object with a `pid`, a number alone, or a line such as `pid: 4711`. */
export function parseLockHolder(text: string): LockHolder | undefined {
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
