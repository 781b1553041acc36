import { startXvfb } from '../../scripts/lib/display.mjs'
import { which } from '../../scripts/lib/process.mjs'
import { atWorkerEnd } from './workerEnd'

/** One for all files of a worker. */
let display: Promise<NodeJS.ProcessEnv> | undefined

/** @returns the environment of programs that open windows; empty where there is no Xvfb */
export async function workerDisplay(): Promise<NodeJS.ProcessEnv> {
  if (process.platform !== 'linux' || which('Xvfb') === undefined) return {}
  return (display ??= startDisplay())
}

async function startDisplay(): Promise<NodeJS.ProcessEnv> {
  const { environment, stop } = await startXvfb()
  atWorkerEnd(stop)
  return environment
}
