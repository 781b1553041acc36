/** Hooks run in processes of their own, so each appends a line for the window. */
import { appendFile, mkdir, readFile, realpath, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { bounded } from '@shared/contract/bounded'
import { hookDecisionSchema, MAX_HOOK_DECISIONS, type HookDecision } from '@shared/contract/loops'
import { z } from 'zod'
import { storedJson } from '@shared/storedJson'
import { isInside } from '../../../files/containedPath'

/** Bytes; as much is kept of the log before it. */
const MAX_LOG_BYTES = 256 * 1024

const lineSchema = z.strictObject({ ...hookDecisionSchema.shape, folder: z.string().max(4_096) })
export type NotedDecision = z.infer<typeof lineSchema>

const fileIn = (folder: string): string => join(folder, 'maestro-hooks.jsonl')

export async function noteDecision(folder: string, decision: NotedDecision): Promise<void> {
  const file = fileIn(folder)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { size } = await stat(file).catch(() => ({ size: 0 }))
  if (size > MAX_LOG_BYTES) await rename(file, `${file}.1`).catch(() => undefined)
  const known = await realpath(decision.folder).catch(() => decision.folder)
  const { value } = bounded(lineSchema, { ...decision, folder: known })
  await appendFile(file, `${JSON.stringify(value)}\n`, { mode: 0o600 })
}

export async function readDecisions(folder: string, root: string): Promise<HookDecision[]> {
  const file = fileIn(folder)
  const texts = await Promise.all([`${file}.1`, file].map((path) => readFile(path, 'utf8').catch(() => '')))
  const decisions = texts
    .join('')
    .split('\n')
    .flatMap((line) => parseLine(line) ?? [])
  return decisions
    .filter((decision) => isInside(root, decision.folder))
    .slice(-MAX_HOOK_DECISIONS)
    .reverse()
    .map(({ folder: _, ...decision }) => decision)
}

/** A line that another process is still writing does not count. */
const parseLine = (line: string): NotedDecision | undefined => storedJson(line, lineSchema)
