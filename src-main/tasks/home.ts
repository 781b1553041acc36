import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/** What the command line names, the folder of c64bridge's `C64_TASK_STATE_FILE`, the setting, or `~/.c64bridge`. */
export function taskHome(
  { named, setting }: { named?: string | undefined; setting: string | null },
  environment: NodeJS.ProcessEnv = process.env,
  home: string = homedir(),
): string {
  if (named !== undefined) return resolve(named)
  if (environment.C64_TASK_STATE_FILE) return dirname(resolve(environment.C64_TASK_STATE_FILE))
  return setting === null ? join(home, '.c64bridge') : resolve(setting)
}
