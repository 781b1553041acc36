import { startXvfb } from '../../scripts/lib/display.mjs'
import { which } from '../../scripts/lib/process.mjs'

/** Started once for all files of a worker, and ended when its process ends. */
let display: ReturnType<typeof startXvfb> | undefined

/** @returns the environment of programs that open windows */
export async function workerDisplay(): Promise<NodeJS.ProcessEnv> {
  if (process.platform !== 'linux' || which('Xvfb') === undefined) return {}
  display ??= startXvfb()
  return (await display).environment
}
