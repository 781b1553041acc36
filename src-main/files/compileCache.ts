import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { dataFolder } from './dataFolder'
import { newerData } from './dataVersion'

/** In the data folder. */
export const COMPILED = 'compiled'

/**
 * Lets Node keep the compiled code of a program in the data folder, where there is one: a start takes a quarter less processor
 * time. Only modules that are loaded after this call come from it.
 */
export function useCompileCache(): void {
  const folder = dataFolder()
  // Node itself uses the variable where a person set it. A call that leaves nothing behind makes no folder.
  if (process.env.NODE_COMPILE_CACHE || !existsSync(folder) || newerData(folder)) return
  // For worker threads, and for a bridge that this program starts.
  process.env.NODE_COMPILE_CACHE = join(folder, COMPILED)
  enableCompileCache(process.env.NODE_COMPILE_CACHE)
}
