import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { storedJson } from '@shared/storedJson'
import { childIsAlive, ownStart } from '../storage/children'

const processSchema = z.strictObject({
  pid: z.int().min(1),
  /** ms since 1970 */
  startedAt: z.number(),
})
export type BridgeProcess = z.infer<typeof processSchema>

const pathIn = (dataFolder: string): string => join(dataFolder, 'bridge.pid')

export function writePidFile(dataFolder: string): () => void {
  const startedAt = ownStart()
  writeFileSync(pathIn(dataFolder), JSON.stringify({ pid: process.pid, startedAt }), { mode: 0o600 })
  return () => {
    if (read(dataFolder)?.pid === process.pid) rmSync(pathIn(dataFolder), { force: true })
  }
}

export function runningBridge(dataFolder: string): BridgeProcess | undefined {
  const found = read(dataFolder)
  return found && childIsAlive(found) ? found : undefined
}

function read(dataFolder: string): BridgeProcess | undefined {
  try {
    return storedJson(readFileSync(pathIn(dataFolder), 'utf8'), processSchema)
  } catch {
    return undefined
  }
}
